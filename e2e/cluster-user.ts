import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { promisify } from 'node:util'
import { kubectlPath } from './kubectl.ts'

const execute = promisify(execFile)

/** What the test does to a cluster from outside of the console, whatever program does it. */
export type ClusterUser = {
  /** What does it, for the report. */
  program: string
  /** Names and readiness of the nodes. */
  nodes(): Promise<string>
  createDeployment(name: string, image: string): Promise<void>
  scale(deployment: string, replicas: number): Promise<void>
}

/** kubectl where the machine has one that is new enough, else the requests that kubectl would send. */
export function clusterUser(kubeconfigPath: string): ClusterUser {
  const kubectl = kubectlPath()
  return kubectl ? throughKubectl(kubectl, kubeconfigPath) : throughHttps(kubeconfigPath)
}

function throughKubectl(kubectl: string, kubeconfigPath: string): ClusterUser {
  const run = async (...args: string[]) =>
    (await execute(kubectl, ['--kubeconfig', kubeconfigPath, ...args])).stdout
  return {
    program: kubectl,
    nodes: () => run('get', 'nodes'),
    createDeployment: async (name, image) =>
      void (await run('create', 'deployment', name, `--image=${image}`)),
    scale: async (deployment, replicas) =>
      void (await run('scale', `deployment/${deployment}`, `--replicas=${replicas}`)),
  }
}

function throughHttps(kubeconfigPath: string): ClusterUser {
  const kubeconfig = readFileSync(kubeconfigPath, 'utf8')
  const field = (name: string) => {
    const value = kubeconfig.match(new RegExp(`${name}: "?([^"\\n]+)`))?.[1]
    if (value === undefined) throw new Error(`The kubeconfig has no ${name}.`)
    return value
  }
  const server = field('server')
  const ca = Buffer.from(field('certificate-authority-data'), 'base64')
  const authorization = `Bearer ${field('token')}`
  const call = (method: string, path: string, contentType: string, body?: object) =>
    new Promise<string>((resolve, reject) => {
      const headers = { authorization, 'content-type': contentType }
      const sent = request(`${server}${path}`, { method, ca, headers }, (reply) => {
        let text = ''
        reply.setEncoding('utf8')
        reply.on('data', (chunk: string) => (text += chunk))
        reply.on('end', () => {
          if ((reply.statusCode ?? 500) < 300) resolve(text)
          else reject(new Error(`${method} ${path}: ${reply.statusCode} ${text}`))
        })
      })
      sent.on('error', reject)
      sent.end(body && JSON.stringify(body))
    })
  const deployments = '/apis/apps/v1/namespaces/default/deployments'
  return {
    program: 'HTTPS requests (no kubectl of version 1.30 or newer on this machine)',
    nodes: async () => {
      const { items } = JSON.parse(await call('GET', '/api/v1/nodes', 'application/json')) as NodeList
      return items
        .map(({ metadata, status }) => {
          const ready = status.conditions.find(({ type }) => type === 'Ready')
          return `${metadata.name} ${ready?.status === 'True' ? 'Ready' : 'NotReady'}`
        })
        .join('\n')
    },
    createDeployment: async (name, image) => {
      const labels = { app: name }
      await call('POST', deployments, 'application/json', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name, labels },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name, image }] } },
        },
      })
    },
    scale: async (deployment, replicas) => {
      const patch = { spec: { replicas } }
      await call('PATCH', `${deployments}/${deployment}/scale`, 'application/merge-patch+json', patch)
    },
  }
}

type NodeList = {
  items: { metadata: { name: string }; status: { conditions: { type: string; status: string }[] } }[]
}
