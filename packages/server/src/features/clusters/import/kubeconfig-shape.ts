import { z } from 'zod'

/** Go reads a missing and a null value alike. */
const optional = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined)
const text = optional(z.string())
const flag = optional(z.boolean())
const named = <S extends z.ZodType>(key: string, schema: S) =>
  optional(z.array(z.object({ name: z.string(), [key]: schema })))

const cluster = z.object({
  server: text,
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': flag,
  'tls-server-name': text,
  'proxy-url': text,
})

const user = z.object({
  token: text,
  tokenFile: text,
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  username: text,
  password: text,
  as: text,
  'as-uid': text,
  'as-groups': optional(z.array(z.string()).max(64)),
  'as-user-extra': optional(z.record(z.string(), z.array(z.string()))),
  exec: optional(z.object({ command: text })),
  'auth-provider': optional(z.object({ name: text })),
})

const context = z.object({ cluster: text, user: text, namespace: text })

export type KubeconfigCluster = z.output<typeof cluster>
export type KubeconfigUser = z.output<typeof user>
export type KubeconfigContext = z.output<typeof context>

/** A kubeconfig (client.authentication.k8s.io, `v1` Config) as far as it is read; what else it holds is ignored. */
export const kubeconfigShape = z.object({
  kind: text,
  'current-context': text,
  clusters: named('cluster', optional(cluster)),
  users: named('user', optional(user)),
  contexts: named('context', optional(context)),
})
