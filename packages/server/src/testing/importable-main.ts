import { stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline'
import { startImportable } from './importable-cluster.ts'

// A cluster for browser tests in a process of its own: it prints kubeconfigs of every kind as one line of JSON, loses all
// its objects at the line "empty", and ends with its standard input.
const outside = await startImportable()
await outside.namespace('shop')
const { user, subject } = await outside.account('team', 'shop')
await outside.bind('edit', subject, 'shop')
const kubeconfig = outside.kubeconfig([
  { name: 'prod-ap-1', user: outside.admin() },
  { name: 'prod-us-2', user: outside.admin(), cluster: { 'tls-server-name': 'api.prod-us-2.example.com' } },
  { name: 'partner / shop', user, namespace: 'shop' },
  {
    name: 'edge-ber-1',
    user: await outside.clientCertificate('ada', ['system:masters']),
    cluster: { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true },
  },
  { name: 'data-eu', user: { exec: { command: 'cloud-login' } } },
])
stdout.write(`${JSON.stringify({ kubeconfig, url: outside.url })}\n`)
const lines = createInterface(stdin)
lines.on('line', (line) => {
  if (line === 'empty') void outside.empty().then(() => stdout.write('emptied\n'))
})
lines.on('close', () => void outside.remove())
