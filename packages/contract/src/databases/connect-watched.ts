import { engineFamily } from './engines.ts'
import { type ConnectFormat, hostOf, passwordPlaceholder, shell, textOfQuery } from './connect-formats.ts'
import type { DatabaseEndpoint, DatabaseTlsMode } from './rules.ts'

const mysqlModes: Readonly<Record<DatabaseTlsMode, string>> = {
  disable: 'DISABLED',
  prefer: 'PREFERRED',
  require: 'REQUIRED',
  'verify-ca': 'VERIFY_CA',
  'verify-full': 'VERIFY_IDENTITY',
}
const mariadbOptions: Readonly<Record<DatabaseTlsMode, string>> = {
  disable: ' --skip-ssl',
  prefer: '',
  require: ' --ssl',
  'verify-ca': ' --ssl',
  'verify-full': ' --ssl --ssl-verify-server-cert',
}

const encoded = (password: string) =>
  password === passwordPlaceholder ? password : encodeURIComponent(password)

/** How a client connects to MySQL or MariaDB. */
export function mysqlConnectText(
  format: ConnectFormat,
  endpoint: DatabaseEndpoint,
  password: string,
): string {
  const { engine, host, port, database, username, tls } = endpoint
  const isChecked = tls === 'verify-ca' || tls === 'verify-full'
  const plain = `${encodeURIComponent(username)}:${encoded(password)}@${hostOf(host)}:${port}/${encodeURIComponent(database)}`
  switch (format) {
    case 'jdbc': {
      const isMaria = engine === 'mariadb'
      const mode = isMaria
        ? { sslMode: { disable: 'disable', prefer: 'disable', require: 'trust' }[tls as string] ?? tls }
        : { sslMode: mysqlModes[tls] }
      const query = textOfQuery(new URLSearchParams({ user: username, password, ...mode }), password)
      return `jdbc:${isMaria ? 'mariadb' : 'mysql'}://${hostOf(host)}:${port}/${encodeURIComponent(database)}?${query}`
    }
    case 'node': {
      const ssl = tls === 'disable' || tls === 'prefer' ? '' : `, ssl: { rejectUnauthorized: ${isChecked} }`
      return `import mysql from 'mysql2/promise'

const connection = await mysql.createConnection({ uri: ${JSON.stringify(`mysql://${plain}`)}${ssl} })`
    }
    case 'python':
      return `import pymysql

connection = pymysql.connect(host=${JSON.stringify(host)}, port=${port}, user=${JSON.stringify(username)},
    password=${JSON.stringify(password)}, database=${JSON.stringify(database)}${isChecked ? ', ssl_verify_cert=True' : ''})`
    case 'go': {
      const mode = { disable: 'false', prefer: 'preferred', require: 'skip-verify' }[tls as string] ?? 'true'
      const dsn = `${username}:${password}@tcp(${hostOf(host)}:${port})/${encodeURIComponent(database)}?tls=${mode}`
      return `import _ "github.com/go-sql-driver/mysql"

db, err := sql.Open("mysql", ${JSON.stringify(dsn)})`
    }
    case 'env':
      return [
        `MYSQL_HOST=${shell(host)}`,
        `MYSQL_PORT=${port}`,
        `MYSQL_DATABASE=${shell(database)}`,
        `MYSQL_USER=${shell(username)}`,
        `MYSQL_PASSWORD=${shell(password)}`,
      ].join('\n')
    case 'mysql': {
      const program = engine === 'mariadb' ? 'mariadb' : 'mysql'
      const options = engine === 'mariadb' ? mariadbOptions[tls] : ` --ssl-mode=${mysqlModes[tls]}`
      return `MYSQL_PWD=${shell(password)} ${program} --host=${shell(host)} --port=${port} --user=${shell(username)}${options} ${shell(database)}`
    }
    default:
      return `mysql://${plain}?ssl-mode=${mysqlModes[tls]}`
  }
}

/** How a client connects to Redis or Valkey. */
export function redisConnectText(
  format: ConnectFormat,
  endpoint: DatabaseEndpoint,
  password: string,
): string {
  const { engine, host, port, database, username, tls } = endpoint
  const isEncrypted = tls !== 'disable'
  const scheme = isEncrypted ? 'rediss' : 'redis'
  const uri = `${scheme}://${encodeURIComponent(username)}:${encoded(password)}@${hostOf(host)}:${port}/${database}`
  switch (format) {
    case 'node': {
      const unchecked = isEncrypted && tls === 'require' ? ', { tls: { rejectUnauthorized: false } }' : ''
      return `import { Redis } from 'ioredis'

const client = new Redis(${JSON.stringify(uri)}${unchecked})`
    }
    case 'python':
      return `import redis

client = redis.Redis.from_url(${JSON.stringify(uri)})`
    case 'go':
      return `import "github.com/redis/go-redis/v9"

options, err := redis.ParseURL(${JSON.stringify(uri)})
client := redis.NewClient(options)`
    case 'env':
      return `REDIS_URL=${shell(uri)}`
    case 'redis-cli': {
      const program = engine === 'valkey' ? 'valkey-cli' : 'redis-cli'
      return `REDISCLI_AUTH=${shell(password)} ${program} -h ${shell(host)} -p ${port} --user ${shell(username)} -n ${database}${isEncrypted ? ' --tls' : ''}${tls === 'require' ? ' --insecure' : ''}`
    }
    default:
      return uri
  }
}

/** Ways to connect that an engine has, the first one is shown. */
export function connectFormatsOf({ engine }: Pick<DatabaseEndpoint, 'engine'>): readonly ConnectFormat[] {
  return {
    postgres: ['uri', 'psql', 'jdbc', 'node', 'python', 'go', 'env'] as const,
    mysql: ['uri', 'mysql', 'jdbc', 'node', 'python', 'go', 'env'] as const,
    redis: ['uri', 'redis-cli', 'node', 'python', 'go', 'env'] as const,
  }[engineFamily(engine)]
}
