import type { Operation } from '../admission/match.ts'
import { stamp, type Clock } from '../clock.ts'
import { clone, equal, isObject, type JsonObject } from '../json.ts'
import { suffix, type Random } from '../random.ts'
import { uuidOf } from '../uuid.ts'
import { apiVersionOf, type Kind } from '../registry/kind.ts'
import { sharedFields, trackUpdate } from '../patch/managed-fields.ts'
import type { Registry } from '../registry/registry.ts'
import { strategyOf } from '../registry/strategies.ts'
import type { StrategyContext } from '../registry/strategy.ts'
import { fillMissing, isWithin, missingFields } from '../schema/required.ts'
import {
  alreadyExists,
  conflict,
  forbidden,
  invalid,
  notFound,
  staleText,
  StatusError,
  type Cause,
} from '../status-error.ts'
import type { Store } from '../store/store.ts'
import type { KindKey, KubeObject, Metadata } from '../types.ts'
import { apiServices, events, leases, namespaces } from '../types.ts'
import { isReleased } from './finalizers.ts'
import { checkMetadata } from './metadata.ts'

/** Who writes, and how. */
export type WriteOptions = {
  /** The name of the writer in managedFields; without it they stay as they are. */
  manager?: string | undefined
  dryRun?: boolean
  user?: string
  groups?: readonly string[]
  subresource?: string
  /** The subresource that admission hears of where it is another one. */
  admittedAs?: string
  /** Admission has judged this write in another form, such as a Binding. */
  isAdmitted?: boolean
  /** Heartbeats: keep the write in memory only. */
  ephemeral?: boolean
  /** Tells the client of something that is no reason to refuse. */
  warn?: (text: string) => void
}

/** Runs before an object is stored or deleted and may refuse that with a StatusError (quota, limits, policies). */
export type Admission = (
  operation: Operation,
  kind: Kind,
  object: KubeObject,
  old: KubeObject | undefined,
  by: WriteOptions,
) => void

export const controllerManager = 'kube-controller-manager'
const untracked = new Set([events.key, leases.key, apiServices.key])

/** A pod's spec is the scheduler's to bind; a real server has the same rule in the binding subresource. */
export class Resources {
  readonly store: Store
  readonly registry: Registry
  readonly clock: Clock
  readonly random: Random
  readonly #admissions: Admission[] = []
  /** Where uids come from: the seed and the revision at which this process began, which is never the same twice. */
  readonly #origin: string
  #made = 0

  constructor(store: Store, registry: Registry, clock: Clock, random: Random, seed: number) {
    this.#origin = `${seed}/${store.revision}`
    this.store = store
    this.registry = registry
    this.clock = clock
    this.random = random
  }

  admit(admission: Admission): void {
    this.#admissions.push(admission)
  }

  /** Throws StatusError when something that was admitted to judge writes refuses this one. */
  review(
    operation: Operation,
    kind: Kind,
    object: KubeObject,
    old: KubeObject | undefined,
    by: WriteOptions,
  ): void {
    for (const admission of this.#admissions) admission(operation, kind, object, old, by)
  }

  get(kind: Kind, namespace: string | undefined, name: string): KubeObject {
    const found = kind.computed
      ? kind.computed.find((one) => one.metadata.name === name)
      : this.store.find(kind.key, namespace, name)
    if (!found) throw notFound(kind, name)
    return found
  }

  /** Stores a new object in its stored version. `body` is given up by the caller. */
  create(
    kind: Kind,
    namespace: string | undefined,
    body: JsonObject,
    options: WriteOptions = {},
  ): KubeObject {
    const object = this.#adopt(kind, namespace, body)
    this.#track(kind, undefined, object, options)
    const strategy = strategyOf(kind.key)
    const context = this.#context(options)
    this.#requireNamespace(kind, object.metadata)
    if (kind.hasStatus) delete object['status']
    const missing = kind.model ? missingFields(kind.model, object) : []
    if (kind.model && missing.length > 0) fillMissing(kind.model, object)
    strategy.defaults?.(object)
    strategy.prepareCreate?.(object, context)
    if (kind.hasGeneration) object.metadata.generation = 1
    const wrong = [
      ...checkMetadata(object, kind, strategy.name ?? 'subdomain'),
      ...(strategy.validate?.(object, context) ?? []),
    ]
    this.#refuse(kind, object, [...missing, ...wrong.filter((one) => !isWithin(one, missing))])
    this.review('create', kind, object, undefined, options)
    if (this.store.find(kind.key, object.metadata.namespace, object.metadata.name)) {
      throw alreadyExists(kind, object.metadata.name)
    }
    if (options.dryRun) return object
    return this.store.write(kind.key, object, options.ephemeral)
  }

  /**
   * Replaces an object by what `change` makes of a copy of it. A stale `resourceVersion` in the result is refused;
   * a result that equals the old is not written. Returns what is stored in the end.
   */
  update(
    kind: Kind,
    namespace: string | undefined,
    name: string,
    change: (copy: KubeObject) => KubeObject | void,
    options: WriteOptions = {},
  ): KubeObject {
    const old = this.get(kind, namespace, name)
    const copy = clone(old)
    const object = change(copy) ?? copy
    this.#track(kind, old, object, options)
    this.#keepIdentity(kind, object, old)
    const strategy = strategyOf(kind.key)
    const context = this.#context(options)
    let missing: Cause[] = []
    if (options.subresource === 'status') this.#keepAllButStatus(object, old)
    else {
      if (kind.hasStatus && options.subresource !== 'all') {
        put(object, 'status', old['status'])
      }
      missing = kind.model ? missingFields(kind.model, object) : []
      if (kind.model && missing.length > 0) fillMissing(kind.model, object)
      strategy.defaults?.(object)
      strategy.prepareUpdate?.(object, old, context)
    }
    if (missing.length === 0 && equal(object, old)) return old
    const isFree = options.subresource === 'status' || options.subresource === 'all'
    const wrong = isFree
      ? []
      : [
          ...checkMetadata(object, kind, strategy.name ?? 'subdomain', old),
          ...(strategy.validate?.(object, context) ?? []),
          ...(options.subresource === undefined
            ? (strategy.validateUpdate?.(object, old, context) ?? [])
            : []),
        ]
    this.#refuse(kind, object, [...missing, ...wrong.filter((one) => !isWithin(one, missing))])
    if (!options.isAdmitted) this.review('update', kind, object, old, options)
    if (kind.hasGeneration && isSpecChanged(object, old)) {
      object.metadata.generation = (old.metadata.generation ?? 0) + 1
    }
    if (options.dryRun) return object
    if (isReleased(kind, object)) {
      this.store.write(kind.key, object)
      return this.store.remove(kind.key, namespace, name) ?? object
    }
    return this.store.write(kind.key, object, options.ephemeral)
  }

  /** For controllers: creates, typed. Throws StatusError like everybody else's write. */
  make<T>(key: KindKey<T>, namespace: string | undefined, body: unknown): T {
    if (!isObject(body)) throw new TypeError(`Not an object of ${key.key}.`)
    return this.create(this.registry.stored(key.key), namespace, body, { manager: controllerManager }) as T
  }

  /** For controllers: changes spec or metadata; an object that is gone stays gone. */
  change<T>(
    key: KindKey<T>,
    of: { metadata: Metadata },
    change: (draft: T) => void,
    options: WriteOptions = {},
  ): T | undefined {
    const { namespace, name, uid } = of.metadata
    const current = this.store.find(key.key, namespace, name)
    if (current?.metadata.uid !== uid) return undefined
    const kind = this.registry.stored(key.key)
    const by = { manager: controllerManager, ...options }
    return this.update(kind, namespace, name, (copy) => change(copy as T), by) as T
  }

  /** For controllers: changes the status. */
  changeStatus<T>(
    key: KindKey<T>,
    of: { metadata: Metadata },
    change: (draft: T) => void,
    options: Pick<WriteOptions, 'ephemeral' | 'manager'> = {},
  ): T | undefined {
    return this.change(key, of, change, { subresource: 'status', ...options })
  }

  #track(kind: Kind, old: KubeObject | undefined, object: KubeObject, options: WriteOptions): void {
    const { manager, subresource, ephemeral } = options
    // Of heartbeats and news nobody asks who wrote what, and they are many.
    if (manager === undefined || ephemeral || untracked.has(kind.key)) return
    trackUpdate(kind, old, object, manager, subresource === 'all' ? undefined : subresource, this.clock.now())
    for (const entry of object.metadata.managedFields ?? []) entry.fieldsV1 = sharedFields(entry.fieldsV1)
  }

  #newUid(): string {
    this.#made += 1
    return uuidOf(`${this.#origin}/${this.#made}`)
  }

  #adopt(kind: Kind, namespace: string | undefined, body: JsonObject): KubeObject {
    const given = isObject(body['metadata']) ? body['metadata'] : {}
    // The body has been decoded by the kind's model, ObjectMeta included.
    const metadata = { ...given } as Metadata
    if (!metadata.name && metadata.generateName) {
      metadata.name = metadata.generateName.slice(0, 58) + suffix(this.random)
    }
    if (!metadata.name) {
      const message = 'name or generateName is required'
      throw invalid(kind, '', [
        { reason: 'FieldValueRequired', message: `Required value: ${message}`, field: 'metadata.name' },
      ])
    }
    if (kind.namespaced) {
      if (metadata.namespace && namespace && metadata.namespace !== namespace) {
        throw new StatusError(
          400,
          'BadRequest',
          'the namespace of the provided object does not match the namespace sent on the request',
        )
      }
      metadata.namespace = namespace ?? metadata.namespace ?? 'default'
    } else delete metadata.namespace
    metadata.uid = this.#newUid()
    metadata.creationTimestamp = stamp(this.clock.now())
    metadata.resourceVersion = ''
    delete metadata.deletionTimestamp
    delete metadata.deletionGracePeriodSeconds
    delete metadata.generation
    return { ...body, apiVersion: apiVersionOf(this.registry.stored(kind.key)), kind: kind.kind, metadata }
  }

  #requireNamespace(kind: Kind, metadata: Metadata): void {
    if (!kind.namespaced) return
    const namespace = this.store.get(namespaces, undefined, metadata.namespace ?? '')
    if (!namespace) {
      throw notFound(this.registry.stored('namespaces'), metadata.namespace ?? '')
    }
    if (namespace.metadata.deletionTimestamp) {
      const text = `unable to create new content in namespace ${namespace.metadata.name} because it is being terminated`
      const error = forbidden(kind, metadata.name, text)
      const causes = [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace.metadata.name} is being terminated`,
          field: 'metadata.namespace',
        },
      ]
      throw new StatusError(403, 'Forbidden', error.message, { ...error.details, causes })
    }
  }

  #keepIdentity(kind: Kind, object: KubeObject, old: KubeObject): void {
    const { metadata } = object
    const { name } = old.metadata
    if (metadata.uid && metadata.uid !== old.metadata.uid) {
      const text = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${old.metadata.uid}`
      throw conflict(kind, name, text)
    }
    const version = metadata.resourceVersion
    if (version && version !== old.metadata.resourceVersion) throw conflict(kind, name, staleText)
    const kept = {
      ...metadata,
      name,
      uid: old.metadata.uid,
      creationTimestamp: old.metadata.creationTimestamp,
    }
    kept.resourceVersion = old.metadata.resourceVersion
    for (const key of [
      'namespace',
      'generation',
      'generateName',
      'deletionTimestamp',
      'deletionGracePeriodSeconds',
    ] as const) {
      if (old.metadata[key] === undefined) delete kept[key]
      else Object.assign(kept, { [key]: old.metadata[key] })
    }
    object.metadata = kept
    object.apiVersion = old.apiVersion
    object.kind = old.kind
  }

  /** A status write changes the status, and of the metadata only what owners and labels are. */
  #keepAllButStatus(object: KubeObject, old: KubeObject): void {
    for (const key of new Set([...Object.keys(object), ...Object.keys(old)])) {
      if (key !== 'status' && key !== 'metadata') put(object, key, old[key])
    }
    const { managedFields } = object.metadata
    object.metadata = { ...old.metadata, ...(managedFields ? { managedFields } : {}) }
  }

  #context(options: WriteOptions): StrategyContext {
    const { store, clock, random } = this
    return { store, clock, random, user: options.user ?? 'system:apiserver', groups: options.groups ?? [] }
  }

  #refuse(kind: Kind, object: KubeObject, causes: Parameters<typeof invalid>[2]): void {
    if (causes.length > 0) throw invalid(kind, object.metadata.name, causes)
  }
}

function put(object: KubeObject, key: string, value: KubeObject[string]): void {
  if (value === undefined) delete object[key]
  else Object.assign(object, { [key]: value })
}

/** True when anything other than metadata and status differs: what `generation` counts. */
function isSpecChanged(object: KubeObject, old: KubeObject): boolean {
  const keys = new Set([...Object.keys(object), ...Object.keys(old)])
  keys.delete('metadata')
  keys.delete('status')
  return [...keys].some((key) => !equal(object[key], old[key]))
}
