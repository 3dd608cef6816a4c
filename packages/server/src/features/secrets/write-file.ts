import type { SecretTransferFormat, SecretType } from '@bey/contract'
import { stringify } from 'yaml'
import { AppError } from '../../platform/errors.ts'
import type { SecretValue } from './value.ts'

export type FileSecret = { name: string; type: SecretType; description: string } & SecretValue

/** A file that `readFile` reads again; where a format has names of its own, ours are fitted to them. */
export function writeFile(format: SecretTransferFormat, secrets: readonly FileSecret[]): string {
  switch (format) {
    case 'env':
      return writeEnv(secrets)
    case 'yaml':
      return stringify(Object.fromEntries(secrets.map((secret) => [secret.name, yamlValueOf(secret)])), {
        lineWidth: 0,
      })
    case 'kubernetes':
      return writeManifests(secrets)
  }
}

function yamlValueOf({ type, encoding, description, value }: FileSecret): unknown {
  if (type === 'opaque' && encoding === 'utf8' && description === '') return value
  return { type, ...(description && { description }), ...(encoding === 'base64' && { encoding }), value }
}

/** Its texts by key: one without fields has its own name as the only key. */
function textsOf({ name, value }: FileSecret): [string, string][] {
  if (typeof value === 'string') return [[name, value]]
  return Object.entries(value).map(([field, text]) => [`${name}_${field}`, text])
}

function writeEnv(secrets: readonly FileSecret[]): string {
  const names = new Map<string, string>()
  const lines = secrets.flatMap((secret) =>
    textsOf(secret).flatMap(([key, text]) => {
      const name = key.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_')
      claim(names, name, secret.name)
      const note = secret.encoding === 'base64' ? [`# ${name} is in base64.`] : []
      return [...note, `${name}=${quote(text)}`]
    }),
  )
  return `${lines.join('\n')}\n`
}

/** Single quotes keep everything but themselves and a carriage return. */
function quote(text: string): string {
  if (!/['\r]/.test(text)) return `'${text}'`
  const escaped = text.replace(/[\\"$\n\r]/g, (each) => ({ '\n': '\\n', '\r': '\\r' })[each] ?? `\\${each}`)
  return `"${escaped}"`
}

function writeManifests(secrets: readonly FileSecret[]): string {
  const objects = new Map<string, Map<string, string>>()
  const names = new Map<string, string>()
  for (const secret of secrets) {
    const { name, value, encoding } = secret
    const cut = name.lastIndexOf('/')
    const texts =
      typeof value === 'string'
        ? [[cut < 0 ? name : name.slice(cut + 1), value] as const]
        : Object.entries(value)
    const object = objectName(typeof value === 'string' ? (cut < 0 ? 'secrets' : name.slice(0, cut)) : name)
    const data = objects.get(object) ?? new Map<string, string>()
    for (const [key, text] of texts) {
      const fitted = key.replace(/[^-._a-zA-Z0-9]/g, '_')
      claim(names, `${object}/${fitted}`, name)
      data.set(fitted, Buffer.from(text, encoding).toString('base64'))
    }
    objects.set(object, data)
  }
  return [...objects]
    .map(([name, data]) =>
      stringify(
        {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name },
          type: 'Opaque',
          data: Object.fromEntries(data),
        },
        { lineWidth: 0 },
      ),
    )
    .join('---\n')
}

/** A DNS subdomain (RFC 1123), which names of Kubernetes objects are. */
function objectName(text: string): string {
  const fitted = text
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '-')
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
  return fitted === '' ? 'secrets' : fitted
}

/** Throws AppError where two secrets would have one name in the file: one of them would be lost. */
function claim(names: Map<string, string>, inFile: string, secret: string): void {
  const holder = names.get(inFile)
  if (holder === undefined) return void names.set(inFile, secret)
  throw new AppError(
    'conflict',
    `The secrets "${holder}" and "${secret}" would both be called ${inFile} in this format. Export one of them, or use YAML.`,
  )
}
