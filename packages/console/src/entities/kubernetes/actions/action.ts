import type { Permission, ResourceInfo } from '@bey/contract'
import { kubernetesPath } from '@bey/contract'
import type { AccessNeed } from '../../../data/kubernetes-access.ts'
import type { KubernetesRequest } from '../../../data/kubernetes-proxy.ts'
import type { ActionObject } from './action-object.ts'

/** An object that is acted on. */
export interface ActionTarget {
  clusterId: number
  clusterTitle: string
  resource: Pick<ResourceInfo, 'resource' | 'kind' | 'group' | 'version' | 'plural' | 'verbs'>
  /** Empty for what belongs to no namespace. */
  namespace: string
  name: string
  object: ActionObject
}

/** What an action knows when it is prepared. */
export interface ActionInput {
  target: ActionTarget
  /** What its `lookUp` answered; undefined without one, and where it could not be read. */
  found: ActionObject | undefined
  now: Date
}

/** What was entered, by the names of the fields; of a choice between yes and no `true` or an empty text. */
export type ActionValues = Readonly<Record<string, string>>

export interface ActionField {
  name: string
  label: string
  type: 'number' | 'text' | 'choice' | 'check'
  initial: string
  /** Of a choice. */
  options?: readonly { value: string; label: string }[]
  hint?: string
  /** What is wrong with a value, as a sentence. */
  problem?: (value: string) => string | undefined
}

interface ActionBase {
  id: ActionId
  /** On its button: "Scale". */
  label: string
  /** While it runs and after it: "Scaling", "Scaled". */
  pending: string
  done: string
  /** Which resources have it, as kubectl names them. */
  isFor: (resource: string) => boolean
  /** A button of its own in the head of the object's page; the others stand in its menu. */
  isPrimary?: boolean
  isDanger?: boolean
  /** The key that starts it on the object's page and on a focused row. */
  shortcut?: string
  /** What the role in Bey must hold. */
  permission: Permission
  /** What the cluster's own RBAC is asked before it is offered. */
  access: (resource: Pick<ActionTarget['resource'], 'group' | 'plural'>) => AccessNeed
  /** Why the object's own state does not allow it. */
  refusal?: (target: ActionTarget) => string | undefined
  /** One of two that undo each other: not shown while the object's own state refuses it. */
  isToggle?: boolean
  /** Can be done with several rows at once. */
  isBulk?: boolean
}

/** An action that sends requests to the cluster; its form, if it has one, is data. */
export interface RequestAction extends ActionBase {
  form: 'fields'
  /** Another object to read first, such as the autoscaler of a workload. */
  lookUp?: (target: ActionTarget) => KubernetesRequest | undefined
  /** Why what was found does not allow it. */
  foundRefusal?: (input: ActionInput) => string | undefined
  fields?: (input: ActionInput) => readonly ActionField[]
  /** What is asked once for several objects; each takes the fields that it has itself. */
  bulkFields?: readonly ActionField[]
  /** What is to be known before it is done. Asks only where there is a note or a field. */
  notes?: (input: ActionInput) => readonly string[]
  requests: (input: ActionInput, values: ActionValues) => readonly KubernetesRequest[]
  kubectl: (input: ActionInput, values: ActionValues) => string
  /** Where to go when it is done. */
  next?: (input: ActionInput, values: ActionValues) => string | undefined
}

/** An action with a dialog of its own. */
export interface DialogAction extends ActionBase {
  form: 'dialog'
}

export type ObjectAction = RequestAction | DialogAction

export type ActionId =
  | 'scale'
  | 'restart'
  | 'pause'
  | 'resume'
  | 'rollback'
  | 'set-image'
  | 'labels'
  | 'cordon'
  | 'uncordon'
  | 'drain'
  | 'evict'
  | 'debug'
  | 'trigger'
  | 'suspend'
  | 'unsuspend'
  | 'retry'
  | 'expand'
  | 'delete'

/** Where the API server keeps the object that is acted on, or a subresource of it. */
export function targetPath({ resource, namespace, name }: ActionTarget, subresource = ''): string {
  return `${kubernetesPath(resource, namespace, name)}${subresource && `/${subresource}`}`
}

/** A request that changes parts of the object and leaves the others as they are. */
export function mergePatch(target: ActionTarget, body: object, subresource = ''): KubernetesRequest {
  return {
    method: 'PATCH',
    path: targetPath(target, subresource),
    contentType: 'application/merge-patch+json',
    body,
  }
}

/** The right to do `verb` with a resource, or with a subresource of it. */
export function access(verb: string, subresource?: string): ActionBase['access'] {
  return ({ group, plural }) => ({ verb, group, resource: plural, ...(subresource && { subresource }) })
}
