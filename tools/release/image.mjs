// A container image without a builder: packages of Debian, the product, and an account that is not root, packed as OCI.
import { appendFileSync, chownSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beginStep } from '../progress.mjs'
import { run } from '../workspace.mjs'

/** What the server and PostgreSQL link, certificates of public authorities, and the names of time zones. */
const packages = [
  'base-files',
  'libc6',
  'libstdc++6',
  'libgcc-s1',
  'dash',
  'coreutils',
  'ca-certificates',
  'tzdata',
]
const suite = 'bookworm'
/** Also in the chart and in the Dockerfile: Kubernetes wants the number of an account that is not root. */
export const account = 10_001

/** Programs that this machine lacks to make an image. */
export async function missingTools() {
  const found = await Promise.all(
    ['mmdebstrap', 'umoci', 'unshare'].map(async (name) => [
      name,
      (await quietly('sh', ['-c', `command -v ${name}`])).code === 0,
    ]),
  )
  return found.filter(([, isFound]) => !isFound).map(([name]) => name)
}

/** The file system of the image in `into`, with the product below /opt/bey. Needs root, for files belong to others. */
export async function makeFileSystem(into, product) {
  const step = beginStep('Making the file system of the image')
  rmSync(into, { recursive: true, force: true })
  await demand('mmdebstrap', ['--quiet', '--variant=extract', `--include=${packages.join(',')}`, suite, into])
  for (const part of ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'var/lib/apt', 'var/cache/apt'])
    rmSync(join(into, part), { recursive: true, force: true })
  await certificates(into)
  appendFileSync(join(into, 'etc/passwd'), `bey:x:${account}:${account}:Bey:/var/lib/bey:/bin/sh\n`)
  appendFileSync(join(into, 'etc/group'), `bey:x:${account}:\n`)
  mkdirSync(join(into, 'var/lib/bey'), { recursive: true })
  chownSync(join(into, 'var/lib/bey'), account, account)
  mkdirSync(join(into, 'opt'), { recursive: true })
  cpSync(product, join(into, 'opt/bey'), { recursive: true, verbatimSymlinks: true })
  mkdirSync(join(into, 'usr/local/bin'), { recursive: true })
  for (const name of ['bey', 'bey-server'])
    await demand('ln', ['-s', `/opt/bey/bin/${name}`, join(into, 'usr/local/bin', name)])
  await compile(into)
  step.end()
}

/** Packs it as an image of the Open Container Initiative: the folder `into` with `tag`. */
export async function packImage(into, fileSystem, { tag, labels }) {
  const step = beginStep('Packing the image')
  rmSync(into, { recursive: true, force: true })
  const image = `${into}:${tag}`
  const bundle = `${into}-bundle`
  rmSync(bundle, { recursive: true, force: true })
  await demand('umoci', ['init', '--layout', into])
  await demand('umoci', ['new', '--image', image])
  await demand('umoci', ['unpack', '--image', image, bundle])
  await demand('cp', ['-a', `${fileSystem}/.`, join(bundle, 'rootfs')])
  await demand('umoci', ['repack', '--image', image, bundle])
  const settings = Object.entries(environment).flatMap(([name, value]) => [
    '--config.env',
    `${name}=${value}`,
  ])
  const marks = Object.entries(labels).flatMap(([name, value]) => [
    '--manifest.annotation',
    `${name}=${value}`,
  ])
  const config = ['--config.user', `${account}:${account}`, '--config.workingdir', '/var/lib/bey']
  const way = ['--config.entrypoint', '/opt/bey/bin/bey-server', '--config.volume', '/var/lib/bey']
  const ports = ['--config.exposedports', '8080/tcp', '--config.exposedports', '8443/tcp']
  await demand('umoci', ['config', '--image', image, ...config, ...way, ...ports, ...settings, ...marks])
  await demand('umoci', ['gc', '--layout', into])
  rmSync(bundle, { recursive: true, force: true })
  step.end()
}

/** What the image sets; everything else is the reader's. */
export const environment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  NODE_ENV: 'production',
  NODE_COMPILE_CACHE: '/opt/bey/compiled',
  HOST: '0.0.0.0',
  BEY_DATA_DIR: '/var/lib/bey',
}

/** Nothing is configured that was only extracted: the bundle of certificates is what its package would write. */
async function certificates(into) {
  const folder = join(into, 'usr/share/ca-certificates/mozilla')
  const { output } = await demand('sh', ['-c', `cat ${folder}/*.crt`])
  mkdirSync(join(into, 'etc/ssl/certs'), { recursive: true })
  writeFileSync(join(into, 'etc/ssl/certs/ca-certificates.crt'), output)
}

/** Compiles the server once, so that each start of the image finds it done. */
async function compile(into) {
  const settings = 'NODE_ENV=production NODE_COMPILE_CACHE=/tmp/compiled BEY_DATA_DIR=/tmp/data'
  const inside = `mkdir /tmp/data && ${settings} /opt/bey/bin/node /opt/bey/packages/server/src/prepare.ts`
  await inRoot(into, `chroot --userspec=${account}:${account} . /bin/sh -c '${inside}'`)
  cpSync(join(into, 'tmp/compiled'), join(into, 'opt/bey/compiled'), { recursive: true })
  for (const part of ['compiled', 'data']) rmSync(join(into, 'tmp', part), { recursive: true, force: true })
}

/** Runs a command of the shell beside the file system, with a /proc of its own: libraries are found by it. */
function inRoot(into, command) {
  const mounted = `cd '${into}' && mount -t proc proc proc && exec ${command}`
  return demand('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', mounted])
}

const quietly = (command, args) => run(command, args, { capture: true })

async function demand(command, args) {
  const { code, output } = await quietly(command, args)
  if (code !== 0) throw new Error(`${command} failed: ${output.trim().slice(-2_000)}`)
  return { output }
}
