import type { Container } from '../types.ts'

/** Programs of an image that most people know, beyond those of every small Linux. */
const known: readonly [image: RegExp, programs: string][] = [
  [/(^|\/)(busybox|alpine|ubuntu|debian|fedora|centos|amazonlinux|bash)([:@]|$)/, 'apk apt apt-get dnf yum'],
  [/(^|\/)(nginx|nginx-unprivileged)([:@]|$)/, 'nginx nginx-debug'],
  [/(^|\/)httpd([:@]|$)/, 'httpd httpd-foreground apachectl'],
  [/(^|\/)(redis|valkey)([:@]|$)/, 'redis-server redis-cli valkey-server valkey-cli'],
  [/(^|\/)postgres([:@]|$)/, 'postgres psql pg_isready pg_dump initdb createdb'],
  [/(^|\/)(mysql|mariadb)([:@]|$)/, 'mysqld mysql mysqladmin mysqldump mariadb mariadbd mariadb-admin'],
  [/(^|\/)python([:@]|$)/, 'python python3 pip pip3'],
  [/(^|\/)node([:@]|$)/, 'node npm npx yarn corepack'],
  [/(^|\/)perl([:@]|$)/, 'perl cpan'],
  [/(^|\/)(golang)([:@]|$)/, 'go gofmt git'],
]

/** What every small Linux has and the simulated shell does not play. */
const common = new Set(
  'awk base64 basename chmod chown cp cut dd diff dirname du expr find free fuser gzip ip kill killall less ln md5sum mktemp mount mv nc netstat nice nohup nsenter pgrep ping pkill readlink realpath sed setsid sha256sum stat stty su sync time timeout top tr tty umount uniq unzip uptime vi watch xargs yes'.split(
    ' ',
  ),
)

const programDirectories = new Set([
  '/bin',
  '/sbin',
  '/usr/bin',
  '/usr/sbin',
  '/usr/local/bin',
  '/usr/local/sbin',
])

// A name that says itself that there is no such thing.
const missingName = /no-?such|does-?not-?exist|non-?existent|missing|not-?found/i

/** Whether an image has a program that the simulated shell does not know. Of an image nobody knows, anything is believed. */
export function hasProgram({ image = '' }: Container, command: string): boolean {
  const own = known.find(([pattern]) => pattern.test(image))
  if (!own) return !missingName.test(command)
  const at = command.lastIndexOf('/')
  const name = command.slice(at + 1)
  if (command.startsWith('/docker-entrypoint')) return true
  if (at >= 0 && !programDirectories.has(command.slice(0, at))) return false
  return common.has(name) || own[1].split(' ').includes(name)
}

/** Whether a path leads to where programs are; a name alone is looked up there. */
export function isInPath(command: string): boolean {
  const at = command.lastIndexOf('/')
  return at < 0 || programDirectories.has(command.slice(0, at))
}

const servers =
  /^(nginx|nginx-debug|httpd(-foreground)?|apache2|node|npm|python3?|java|ruby|redis-server|valkey-server|postgres|mysqld|mariadbd|mongod|memcached|caddy|traefik|docker-entrypoint.*|yes|watch|top|ping|nc)$/

/** Whether a program of that name goes on until it is stopped. */
export function isServer(words: readonly string[]): boolean {
  const name = words[0]?.split('/').at(-1) ?? ''
  return servers.test(name) && !words.some((word) => /^(-v|-V|--version|-t|-h|--help)$/.test(word))
}
