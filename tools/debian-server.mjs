import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Servers of databases for tests: where each is, and the package of Debian that brings it without starting a service. */
const servers = {
  mariadb: { paths: ['/usr/sbin/mariadbd'], packageName: 'mariadb-server-core' },
  // Debian's redis-server is a link to this program, which looks at the name that it is called by.
  redis: { paths: ['/usr/bin/valkey-check-rdb', '/usr/bin/redis-check-rdb'], packageName: 'redis-tools' },
}

/** Path of the program of such a server; undefined where it is not there and cannot be installed, for instance offline. */
export function ensureServer(name) {
  const { paths, packageName } = servers[name]
  const find = () => paths.find((path) => existsSync(path))
  return find() ?? (announce(packageName), installFromDebian([packageName]), find())
}

const announce = (packageName) => console.log(`Installing ${packageName} for the tests of databases …`)

/** Installs packages of Debian where this is Debian and its superuser; whether that worked is for the caller to see. */
export function installFromDebian(names) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  const options = {
    stdio: 'ignore',
    timeout: 180_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  const impatient = ['-qq', '-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=10']
  spawnSync('apt-get', ['update', ...impatient], options)
  spawnSync('apt-get', ['install', '-y', ...impatient, '--no-install-recommends', ...names], options)
}
