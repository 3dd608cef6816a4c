import { maxKubeconfigContexts } from '@bey/contract'
import type { z } from 'zod'

import { AppError } from '../../../platform/errors.ts'
import type { ClusterConnection } from '../provider.ts'
import { connectionOf } from './context-connection.ts'
import {
  type KubeconfigCluster,
  type KubeconfigContext,
  kubeconfigShape,
  type KubeconfigUser,
} from './kubeconfig-shape.ts'
import { readKubeconfigYaml } from './kubeconfig-yaml.ts'

export type ContextConnection = Omit<ClusterConnection, 'impersonate' | 'identity' | 'isOwn' | 'namespaces'>

/** How Bey would prove who it is. */
export type CredentialKind = 'token' | 'client-certificate' | 'token-and-certificate' | 'none'

/** Something of a context that keeps it from working from a server, and what to do about it. */
export type ContextProblem = { title: string; detail: string; commands: string[] }

/** One context of a kubeconfig. Either it can be used, or `problems` says everything that is in the way. */
export type KubeconfigEntry = {
  context: string
  clusterName: string
  userName: string
  namespace: string | undefined
  server: string
  credential: CredentialKind
  connection: ContextConnection | undefined
  problems: ContextProblem[]
}

export type Kubeconfig = {
  currentContext: string | undefined
  clusterCount: number
  userCount: number
  entries: KubeconfigEntry[]
}

/** Reads a kubeconfig. Throws AppError `invalid_request` for a file that is none; what is wrong of a context stands there. */
export function readKubeconfig(text: string): Kubeconfig {
  const data = readKubeconfigYaml(text)
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw refused('This is not a kubeconfig: it has no clusters, users and contexts.')
  const parsed = kubeconfigShape.safeParse(data)
  if (!parsed.success) throw shapeRefused(parsed.error)
  const { kind, clusters = [], users = [], contexts = [] } = parsed.data
  if (kind !== undefined && kind !== 'Config')
    throw refused('This is a Kubernetes object, not a kubeconfig, whose kind is Config.')
  if (contexts.length === 0)
    throw refused(
      'The kubeconfig has no contexts. A context names a cluster and a user: kubectl config set-context.',
    )
  if (contexts.length > maxKubeconfigContexts)
    throw refused(
      `The kubeconfig has ${contexts.length} contexts; at most ${maxKubeconfigContexts} are read at once.`,
    )
  const clusterOf = byName<KubeconfigCluster>(clusters, 'cluster')
  const userOf = byName<KubeconfigUser>(users, 'user')
  const contextOf = byName<KubeconfigContext>(contexts, 'context')
  return {
    currentContext: parsed.data['current-context'],
    clusterCount: clusterOf.size,
    userCount: userOf.size,
    entries: [...contextOf].map(([name, context]) =>
      connectionOf(name, context, clusterOf.get(context?.cluster ?? ''), userOf.get(context?.user ?? '')),
    ),
  }
}

/** The context of that name. Throws AppError `invalid_request` where the file has none. */
export function entryOf(kubeconfig: Kubeconfig, context: string): KubeconfigEntry {
  const entry = kubeconfig.entries.find((each) => each.context === context)
  if (entry !== undefined) return entry
  throw refused(`The kubeconfig has no context "${context}".`)
}

type Named = Record<string, unknown> & { name: string }

/** As Go does: of two with one name the first counts. */
function byName<T>(list: readonly unknown[], key: string): Map<string, T | undefined> {
  const found = new Map<string, T | undefined>()
  // The shape has been checked: each has its name, and under `key` what it is.
  for (const each of list as readonly Named[]) if (!found.has(each.name)) found.set(each.name, each[key] as T)
  return found
}

function shapeRefused(error: z.ZodError): AppError {
  const errors = error.issues.slice(0, 10).map((issue) => ({
    path: `kubeconfig.${issue.path.join('.')}`,
    message: `${issue.path.join('.') || 'The file'}: ${issue.message}.`,
  }))
  return new AppError(
    'invalid_request',
    `This is not a kubeconfig. ${errors.map(({ message }) => message).join(' ')}`,
    { errors },
  )
}

function refused(message: string): AppError {
  return new AppError('invalid_request', message, { errors: [{ path: 'kubeconfig', message }] })
}
