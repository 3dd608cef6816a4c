// `npm run release`: everything that others install, in `release/`: an archive, the chart, and, where this machine can
// make one, an image; with a list of what is inside, checksums, and a signature where a key is given.
// `npm run release -- --tree FOLDER`: only the folder of the product, as the Dockerfile needs it.
import { createHash, sign } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled, root, run } from '../workspace.mjs'
import { emptied } from './emptied.mjs'
import { releaseNotes } from './notes.mjs'
import { makeProductTree } from './product-tree.mjs'
import { makeFileSystem, missingTools, packImage } from './image.mjs'

const help = `npm run release -- [options]
  --to FOLDER     where the files go; default: release
  --tree FOLDER   make only the folder of the product there
  --no-image      make no image
  --sign FILE     Ed25519 key in PEM that signs the checksums`

try {
  await main(options())
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

function options() {
  try {
    return parseArgs({
      options: {
        to: { type: 'string', default: 'release' },
        tree: { type: 'string' },
        'no-image': { type: 'boolean', default: false },
        sign: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new Error(`${error.message}\n${help}`, { cause: error })
  }
}

async function main({ to, tree, sign: keyFile, 'no-image': withoutImage, help: asksHelp }) {
  if (asksHelp) return console.log(help)
  // A key that cannot be read is found before the work, not after it.
  const key = keyFile === undefined ? undefined : readFileSync(keyFile, 'utf8')
  await ensureInstalled({ withTests: false })
  if (tree !== undefined) return makeProductTree(resolve(tree))
  const into = resolve(root, to)
  // Of a release that was broken off the work is there.
  emptied(into, existsSync(join(into, '.work')) ? '.work' : 'SHA256SUMS')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const name = `bey-${version}`
  const work = join(into, '.work')
  const product = join(work, name)
  await makeProductTree(product)
  await listContents(join(into, `${name}.cdx.json`))
  await archive(join(into, `${name}-${process.platform}-${process.arch}.tar.gz`), work, name)
  await archive(join(into, `bey-chart-${version}.tgz`), join(root, 'deploy'), 'chart', `s,^chart,bey,`)
  writeFileSync(
    join(into, 'NOTES.md'),
    releaseNotes(
      readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
      version,
      readdirSync(join(root, 'packages/server/migrations')).filter((file) => file.endsWith('.sql')),
    ),
  )
  if (!withoutImage) await makeImage(into, work, product, version)
  rmSync(work, { recursive: true, force: true })
  signFiles(into, key)
  for (const file of readdirSync(into).toSorted())
    console.log(
      `${String(Math.ceil(statSync(join(into, file)).size / 1_048_576)).padStart(5)} MiB  ${join(to, file)}`,
    )
}

async function makeImage(into, work, product, version) {
  const missing = await missingTools()
  const why =
    missing.length > 0
      ? `${missing.join(' and ')} are missing`
      : process.getuid?.() === 0
        ? ''
        : 'only root can'
  if (why !== '')
    return console.log(`No image was made: ${why}. deploy/Dockerfile makes one where there is a builder.`)
  await makeFileSystem(join(work, 'root'), product)
  const layout = join(work, 'image')
  await packImage(layout, join(work, 'root'), {
    tag: version,
    labels: {
      'org.opencontainers.image.title': 'Bey',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': 'Apache-2.0',
    },
  })
  await archive(join(into, `bey-${version}-${process.platform}-${process.arch}.oci.tar`), layout, '.')
}

/** The same files make the same archive: names in order, no owner, and the time of the last commit. */
async function archive(file, folder, what, rename = '') {
  const { output } = await demand('git', ['log', '-1', '--format=%ct'], root)
  const fixed = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${output.trim()}`]
  const packed = file.endsWith('gz') ? ['--use-compress-program=gzip -n'] : []
  const renamed = rename === '' ? [] : [`--transform=${rename}`]
  await demand(
    'tar',
    ['--create', '--file', file, ...fixed, ...packed, ...renamed, '--directory', folder, what],
    root,
  )
}

/** Every package inside, those in the built console too, as the lock file names them: CycloneDX. */
async function listContents(file) {
  const asked = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev', '--loglevel=error']
  const { output } = await demand('npm', asked, root)
  writeFileSync(file, output)
}

function signFiles(into, key) {
  const lines = readdirSync(into)
    .toSorted()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(into, file)))
          .digest('hex')}  ${file}\n`,
    )
  const text = lines.join('')
  writeFileSync(join(into, 'SHA256SUMS'), text)
  if (key !== undefined) writeFileSync(join(into, 'SHA256SUMS.sig'), sign(null, Buffer.from(text), key))
}

async function demand(command, args, cwd) {
  const { code, output } = await run(command, args, { capture: true, cwd })
  if (code !== 0) throw new Error(`${command} failed: ${output.trim().slice(-2_000)}`)
  return { output }
}
