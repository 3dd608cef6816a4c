import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import process, { argv, exit, kill, pid, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'

import { stringify } from 'yaml'

import { createAuthority, createLeaf } from '../../features/kubernetes/certificate.ts'

/** The command line and the endpoints of a sandbox that the provider uses, without a cluster behind them. */
const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    dir: { type: 'string', default: '' },
    name: { type: 'string', default: '' },
    region: { type: 'string' },
    port: { type: 'string', default: '0' },
    speed: { type: 'string' },
    nodes: { type: 'string' },
  },
})
const { dir, name } = values
const statePath = join(dir, 'state.json')
const lockPath = join(dir, 'lock')

type Item = { metadata: { name: string; labels: Record<string, string> }; status: object }
type State = { nodes: Item[]; pods: Item[]; token: string; key: string; cert: string; ca: string }

function refuse(message: string): never {
  stderr.write(`${message}\n`)
  exit(1)
}

function isAlive(other: number): boolean {
  try {
    return kill(other, 0)
  } catch {
    return false
  }
}

if (existsSync(lockPath)) {
  const holder = Number(readFileSync(lockPath, 'utf8'))
  if (isAlive(holder)) refuse(`The directory ${dir} is in use by process ${holder}.`)
}
try {
  writeFileSync(lockPath, String(pid))
} catch {
  refuse(`The directory ${dir} cannot be written.`)
}

const state = existsSync(statePath) ? (JSON.parse(readFileSync(statePath, 'utf8')) as State) : await fresh()

async function fresh(): Promise<State> {
  const authority = await createAuthority(new Date())
  const leaf = await createLeaf(authority, ['127.0.0.1'], new Date())
  return {
    nodes: [],
    pods: [],
    token: randomBytes(16).toString('hex'),
    key: leaf.keyPem,
    cert: leaf.certificatePem,
    ca: authority.certificatePem,
  }
}

const save = () => writeFileSync(statePath, JSON.stringify(state))
const ready = (itemName: string, labels: Record<string, string>): Item => ({
  metadata: { name: itemName, labels },
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    addresses: [{ type: 'InternalIP', address: `10.0.0.${state.nodes.length + 1}` }],
  },
})

function answer(route: string, body: unknown): unknown {
  switch (route) {
    case 'GET /version':
      return { gitVersion: 'v1.33.4-sandbox' }
    case 'GET /sandbox/v1/status':
      return { name, nodes: state.nodes.length }
    case 'GET /api/v1/nodes':
      return { items: state.nodes }
    case 'GET /api/v1/namespaces/kube-system/pods':
      return { items: state.pods }
    case 'POST /sandbox/v1/nodes':
      for (const group of (body as { groups: { name: string; count: number }[] }).groups) {
        for (let index = 0; index < group.count; index += 1) {
          state.nodes.push(
            ready(`${name}-${group.name}-${state.nodes.length}`, { 'sandbox.bey/node-group': group.name }),
          )
        }
      }
      return {}
    case 'POST /sandbox/v1/addons':
      if (state.pods.length === 0) state.pods.push(ready('coredns-1', { 'k8s-app': 'coredns' }))
      return {}
    default:
      return undefined
  }
}

const server = createServer({ key: state.key, cert: state.cert }, (request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += String(chunk)))
  request.on('end', () => {
    if (request.headers.authorization !== `Bearer ${state.token}`) {
      response.writeHead(401).end('{"message":"Unauthorized"}')
      return
    }
    const found = answer(`${request.method} ${request.url}`, text === '' ? undefined : JSON.parse(text))
    save()
    response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found ?? { message: 'not found' }))
  })
})
server.on('error', (error: NodeJS.ErrnoException) => {
  rmSync(lockPath, { force: true })
  refuse(error.code === 'EADDRINUSE' ? `The port ${values.port} is taken by another program.` : error.message)
})
server.listen(Number(values.port), '127.0.0.1', () => {
  const address = server.address()
  const url = `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const kubeconfigPath = join(dir, 'kubeconfig')
  const ca = Buffer.from(state.ca).toString('base64')
  writeFileSync(
    kubeconfigPath,
    stringify({
      clusters: [{ name, cluster: { server: url, 'certificate-authority-data': ca } }],
      users: [{ name, user: { token: state.token } }],
    }),
    { mode: 0o600 },
  )
  save()
  stdout.write(`${JSON.stringify({ event: 'ready', url, pid, kubeconfigPath })}\n`)
})
process.once('SIGTERM', () => {
  rmSync(lockPath, { force: true })
  exit(0)
})
