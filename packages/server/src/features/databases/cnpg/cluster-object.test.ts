import { expect, test } from 'vitest'
import { type ClusterObject, observe } from './cluster-object.ts'

test.each<[string, ClusterObject['spec'], string | null]>([
  ['nothing', {}, null],
  ['an empty section', { backup: {} }, null],
  [
    'a bucket',
    { backup: { barmanObjectStore: { destinationPath: 's3://backups/orders' } } },
    'the store s3://backups/orders',
  ],
  [
    'a plugin',
    { plugins: [{ name: 'barman-cloud.cloudnative-pg.io', isWALArchiver: true }] },
    'the store of the plugin barman-cloud.cloudnative-pg.io',
  ],
  [
    'a plugin that is switched off',
    { plugins: [{ name: 'barman-cloud.cloudnative-pg.io', isWALArchiver: true, enabled: false }] },
    null,
  ],
  ['a plugin for something else', { plugins: [{ name: 'logs.example.org' }] }, null],
  ['snapshots', { backup: { volumeSnapshot: {} } }, 'snapshots of its volumes'],
])('a Cluster that names %s says where its backups are', (_, spec, said) => {
  expect(observe({ spec }, new Date()).backups).toBe(said)
})
