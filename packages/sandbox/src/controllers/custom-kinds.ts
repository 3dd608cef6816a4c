import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { at, isObject, listAt, objectAt, type JsonObject } from '../json.ts'
import { allVerbs, type Kind } from '../registry/kind.ts'
import { checkValue, schemaOf } from '../schema/custom.ts'
import { checkRules, hasRules, ruleComplaints } from '../schema/rules.ts'
import { invalid } from '../status-error.ts'
import { definitions, type CustomResourceDefinition, type KubeObject } from '../types.ts'
import { withCondition } from './conditions.ts'
import { runController, type Controller } from './controller.ts'

function path(text: string | undefined): string[] | undefined {
  return text?.split('.').filter((part) => part !== '')
}

/** The kinds that a definition makes: one for each version that it serves, the stored one last. */
function kindsOf(definition: CustomResourceDefinition): Kind[] {
  const { names, group, scope, versions } = definition.spec
  return versions
    .filter((version) => version.served)
    .toSorted((a, b) => Number(a.storage) - Number(b.storage))
    .map((version) => {
      const scale = version.subresources?.scale
      const selector = path(scale?.labelSelectorPath)
      return {
        group,
        version: version.name,
        resource: names.plural,
        kind: names.kind,
        singular: names.singular ?? names.kind.toLowerCase(),
        shortNames: names.shortNames ?? [],
        categories: names.categories ?? [],
        namespaced: scope === 'Namespaced',
        verbs: allVerbs,
        key: `${names.plural}.${group}`,
        hasStatus: version.subresources?.status !== undefined,
        hasGeneration: true,
        ...(version.deprecated
          ? {
              deprecation: {
                warning: version.deprecationWarning ?? `${group}/${version.name} ${names.kind} is deprecated`,
              },
            }
          : {}),
        ...(scale
          ? {
              scale: {
                spec: path(scale.specReplicasPath) ?? [],
                status: path(scale.statusReplicasPath) ?? [],
                ...(selector ? { selector } : {}),
              },
            }
          : {}),
        definition,
      }
    })
}

function accept(cluster: Cluster, definition: CustomResourceDefinition): void {
  const { registry, resources, clock } = cluster
  const key = `${definition.spec.names.plural}.${definition.spec.group}`
  const known = registry.byKey(key)
  if (
    known?.definition?.metadata.generation !== definition.metadata.generation ||
    known?.definition?.metadata.uid !== definition.metadata.uid
  ) {
    registry.removeKey(key)
    registry.add(kindsOf(definition))
  }
  resources.changeStatus(definitions, definition, (draft) => {
    const { names } = definition.spec
    let conditions = draft.status?.conditions
    const nowMs = clock.now()
    conditions = withCondition(
      conditions,
      { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
      nowMs,
    )
    conditions = withCondition(
      conditions,
      {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      },
      nowMs,
    )
    const singular = names.singular ?? names.kind.toLowerCase()
    draft.status = {
      acceptedNames: { ...names, singular, listKind: names.listKind ?? `${names.kind}List` },
      storedVersions: [
        ...new Set([
          ...(draft.status?.storedVersions ?? []),
          ...definition.spec.versions.filter((one) => one.storage).map((one) => one.name),
        ]),
      ],
      conditions,
    }
  })
}

const cleanup = 'customresourcecleanup.apiextensions.k8s.io'

function retire(
  cluster: Cluster,
  definition: CustomResourceDefinition,
  again: (delayMs: number) => void,
): void {
  const { store, registry, resources } = cluster
  const key = `${definition.spec.names.plural}.${definition.spec.group}`
  const kind = registry.byKey(key)
  for (const object of store.all(key)) {
    if (kind && !object.metadata.deletionTimestamp)
      deleteObject(resources, kind, object.metadata.namespace, object.metadata.name, {
        propagation: 'Background',
      })
  }
  if (store.count(key) > 0) return again(250)
  resources.change(
    definitions,
    definition,
    (draft) => {
      draft.metadata.finalizers = draft.metadata.finalizers?.filter((one) => one !== cleanup)
    },
    { subresource: 'all' },
  )
}

/** Serves the kinds of CustomResourceDefinitions, checks their objects, and takes both away together. */
export function runCustomKinds(cluster: Cluster): Controller {
  const { store, registry, resources } = cluster
  for (const definition of store.list(definitions)) registry.add(kindsOf(definition))
  resources.admit((operation, kind, object, old, { subresource }) => {
    if (operation === 'delete') return
    if (kind.key === definitions.key && subresource !== 'status') {
      const causes = listAt(object, 'spec', 'versions').flatMap((version, i) => {
        const schema = objectAt(version, 'schema', 'openAPIV3Schema')
        return schema ? ruleComplaints(schema, `spec.versions[${i}].schema.openAPIV3Schema`) : []
      })
      if (causes.length > 0) throw invalid(kind, object.metadata.name, causes)
      object.metadata.finalizers ??= object.metadata.deletionTimestamp ? [] : [cleanup]
    }
    const schema = kind.definition && schemaOf(kind.definition, kind.version)
    if (!schema) return
    const { apiVersion, kind: name, metadata, ...body } = object
    void [apiVersion, name, metadata]
    const causes = checkValue({ ...schema, properties: withoutHead(at(schema, 'properties')) }, body, '')
    if (causes.length === 0 && hasRules(schema)) {
      const before = old === undefined ? undefined : ruledPart(old)
      causes.push(...checkRules(schema, ruledPart(object), before))
    }
    if (causes.length > 0) throw invalid(kind, object.metadata.name, causes)
  })
  // Clients look for the new kind the moment their request has been answered.
  const stop = store.subscribe(definitions.key, ({ type, object }) => {
    if (type !== 'DELETED') return
    const plural = at(object, 'spec', 'names', 'plural')
    const group = at(object, 'spec', 'group')
    if (typeof plural === 'string' && typeof group === 'string') registry.removeKey(`${plural}.${group}`)
  })
  const controller = runController(cluster, {
    kind: definitions,
    sync(definition, again) {
      if (definition.metadata.deletionTimestamp) retire(cluster, definition, again)
      else accept(cluster, definition)
    },
  })
  return {
    stop() {
      stop()
      controller.stop()
    },
  }
}

/** What rules see: of the metadata only the names. */
function ruledPart({ metadata, ...object }: KubeObject): JsonObject {
  const { name, generateName } = metadata
  return { ...object, metadata: { name, ...(generateName ? { generateName } : {}) } }
}

function withoutHead(properties: unknown): Record<string, never> {
  const rest: Record<string, never> = {}
  if (!isObject(properties)) return rest
  for (const [key, value] of Object.entries(properties)) {
    if (!['apiVersion', 'kind', 'metadata'].includes(key)) Object.assign(rest, { [key]: value })
  }
  return rest
}
