import { expect, test } from 'vitest'
import { sourceFiles } from './source-files.ts'
import { tenantTables, unscopedFunctions } from './store-tenancy.ts'

const files = sourceFiles()
const tables = tenantTables(files)
const stores = files.filter(({ path }) => /^packages\/server\/src\/features\/.*store\.ts$/.test(path))

const byKey = 'by a key that is unique across organizations, within the tenant of its caller'
const ofAll = 'for jobs that work on every organization'

/** Functions of stores that name no organization, with the reason; row-level security alone keeps those apart. */
const unscoped: Record<string, string> = {
  'api-keys/store.ts: findLockedKey': 'its viewer names the organization',
  'auth/oauth/store.ts: isInvited': 'asked before an organization is known',
  'clusters/import/import-store.ts: updateImported': byKey,
  'clusters/store.ts: updateCluster': byKey,
  'clusters/store.ts: moveCluster': byKey,
  'clusters/store.ts: assignRun': byKey,
  'clusters/store.ts: isNewestRun': byKey,
  'clusters/store.ts: findConnection': byKey,
  'clusters/store.ts: deleteConnection': byKey,
  'clusters/store.ts: revokeTokens': byKey,
  'demo/store.ts: putToSleep': ofAll,
  'kubernetes/changes/version-store.ts: insertVersions': byKey,
  'kubernetes/changes/version-store.ts: trimCluster': byKey,
  'kubernetes/changes/version-store.ts: trimClusterBytes': byKey,
  'kubernetes/changes/version-store.ts: listVersions': byKey,
  'kubernetes/changes/version-store.ts: findVersion': byKey,
  'kubernetes/changes/version-store.ts: objectBefore': byKey,
  'kubernetes/changes/version-store.ts: changedVersions': byKey,
  'kubernetes/changes/version-store.ts: recordedSince': byKey,
  'kubernetes/changes/version-store.ts: actsWithin': byKey,
  'kubernetes/changes/version-store.ts: runsWithin': byKey,
  'kubernetes/health/observer-store.ts: releaseClusters': ofAll,
  'kubernetes/health/observer-store.ts: recordHealth': ofAll,
  'members/invitations/store.ts: countOrganizationsOf': 'counts the organizations of a person',
  'organizations/store.ts: countMemberships': 'counts the organizations of a person',
  'secrets/due-store.ts: listPurgeable': ofAll,
  'secrets/due-store.ts: listRotatable': ofAll,
  'secrets/due-store.ts: listUntold': ofAll,
  'webhooks/store.ts: deleteOldDeliveries': ofAll,
  'workflows/runs/store.ts: takeLogNumbers': byKey,
  'workflows/runs/store.ts: giveLogNumbersBack': byKey,
  'workflows/runs/store.ts: hasLogAfter': byKey,
  'workflows/runs/store.ts: markCancelRequested': byKey,
  'workflows/runs/store.ts: updateStepProgress': byKey,
  'workflows/store.ts: findRunStatus': byKey,
  'workflows/store.ts: selectRuns': 'its callers add the condition',
  'workflows/triggers/store.ts: settleArrival': byKey,
}

test('functions of stores name the organization besides row-level security, or are listed with a reason', () => {
  const found = stores.flatMap(({ path, text }) =>
    unscopedFunctions(text, tables).map(
      (name) => `${path.replace('packages/server/src/features/', '')}: ${name}`,
    ),
  )
  expect(found.filter((each) => !(each in unscoped))).toEqual([])
  expect(Object.keys(unscoped).filter((each) => !found.includes(each))).toEqual([])
})

test.each([
  ['a read by an id', 'return db.select(columns).from(widgets).where(eq(widgets.id, id))', ['read']],
  ['a read of the organization', 'return db.select().where(eq(widgets.organizationId, organizationId))', []],
  ['an insert', 'return db.insert(widgets).values(values)', []],
  ['a read of what belongs to no organization', 'return db.select(columns).from(users)', []],
])('%s is found: %s', (_what, body, expected) => {
  expect(unscopedFunctions(`export function read(db: Db) {\n  ${body}\n}\n`, ['widgets'])).toEqual(expected)
})
