const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

function kind(
  name: string,
  plural: string,
  extra: object = {},
  spec: object = anything,
  group = 'postgresql.cnpg.io',
) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: name, plural, singular: name.toLowerCase(), listKind: `${name}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: anything } } },
          subresources: { status: {} },
          ...extra,
        },
      ],
    },
  }
}

const column = (name: string, type: string, jsonPath: string) => ({ name, type, jsonPath })

const clusterKind = (properties: object) =>
  kind(
    'Cluster',
    'clusters',
    {
      additionalPrinterColumns: [
        column('Instances', 'integer', '.status.instances'),
        column('Ready', 'integer', '.status.readyInstances'),
        column('Status', 'string', '.status.phase'),
        column('Primary', 'string', '.status.currentPrimary'),
      ],
    },
    {
      ...anything,
      required: ['instances'],
      properties: {
        instances: { type: 'integer', minimum: 1 },
        imageName: { type: 'string' },
        ...properties,
      },
    },
  )

/** The Cluster of a version that has no object store of its own any more: what names one is dropped. */
export const clusterKindWithoutStore = clusterKind({
  backup: { type: 'object', properties: { retentionPolicy: { type: 'string' } } },
})

/** Kinds of CloudNativePG as far as Bey uses them: a Cluster has its columns, and an instance at least. */
export const cnpgKinds = [
  clusterKind({}),
  kind('Backup', 'backups'),
  kind('ScheduledBackup', 'scheduledbackups'),
]

/** The kind of the Barman Cloud plugin, which not every cluster with CloudNativePG has. */
export const objectStoreKind = kind('ObjectStore', 'objectstores', {}, anything, 'barmancloud.cnpg.io')
