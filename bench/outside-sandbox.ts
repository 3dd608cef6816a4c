import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../tools/source-files.ts'

export type OutsideSandbox = {
  /** As an administrator of the cluster is given it. */
  kubeconfig: string
  /** Asks the cluster directly, not through Bey; throws for an answer that is an error. */
  send(method: string, path: string, body?: unknown): Promise<string>
  /** Watches that are open on a resource of the cluster, of all clients. */
  watches(resource: string): Promise<number>
  stop(): Promise<void>
}

/** A sandbox in a process of its own, which nothing but its kubeconfig connects with the server. */
export async function startOutsideSandbox(name: string, nodes: number): Promise<OutsideSandbox> {
  const dir = mkdtempSync(join(tmpdir(), 'bey-bench-outside-'))
  const groups = nodes === 0 ? '[]' : JSON.stringify([{ name: 'workers', count: nodes }])
  const args = [join(root, 'packages/sandbox/src/main.js'), '--dir', dir, '--name', name, '--nodes', groups]
  const child = spawn(process.execPath, [...args, '--speed', '20', '--claim-minutes', '600'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  const ready = await new Promise<{ url: string; kubeconfigPath: string }>((done, fail) => {
    child.once('exit', (code) => fail(new Error(`The sandbox ended with ${code}.`)))
    child.stdout.once('data', (line: Buffer) =>
      done(JSON.parse(line.toString()) as { url: string; kubeconfigPath: string }),
    )
  })
  const identity = JSON.parse(readFileSync(join(dir, 'identity.json'), 'utf8')) as {
    caPem: string
    adminToken: string
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 20, ca: identity.caPem })
  const send = (method: string, path: string, body?: unknown) =>
    new Promise<string>((done, fail) => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const headers = { authorization: `Bearer ${identity.adminToken}`, 'content-type': type }
      const sent = request(new URL(path, ready.url), { agent, method, headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => {
          const text = Buffer.concat(parts).toString()
          if ((response.statusCode ?? 500) < 400) done(text)
          else fail(new Error(`${method} ${path} answered ${response.statusCode}: ${text.slice(0, 300)}`))
        })
      })
      sent.on('error', fail)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  return {
    kubeconfig: readFileSync(ready.kubeconfigPath, 'utf8'),
    send,
    async watches(resource) {
      const lines = (await send('GET', '/metrics')).split('\n')
      return lines
        .filter((line) => line.startsWith('apiserver_longrunning_requests{'))
        .filter((line) => line.includes(`resource="${resource}"`) && line.includes('verb="WATCH"'))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    },
    async stop() {
      child.kill('SIGTERM')
      await gone
      agent.destroy()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
