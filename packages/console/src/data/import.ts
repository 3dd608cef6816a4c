import type { CallInput, CallOutput } from '@bey/contract'
import { api } from '../lib/api.ts'

export type ReadKubeconfig = CallOutput<'kubeconfig.read'>
export type TestedContext = CallOutput<'kubeconfig.test'>
export type ContextToTest = NonNullable<CallInput<'kubeconfig.test'>['body']>
export type ClustersToImport = NonNullable<CallInput<'kubeconfig.import'>['body']>

/** Connects as one context says. Not cached: the question holds credentials. */
export function testContext(body: ContextToTest): Promise<TestedContext> {
  return api.call('kubeconfig.test', { body })
}
