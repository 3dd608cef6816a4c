import { beforeEach, expect, test } from 'vitest'
import { tabStorage } from '../../lib/storage.ts'
import { readDraft, writeDraft } from './manifest-draft.ts'

beforeEach(() => tabStorage.remove('manifestDrafts'))

const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n'

test('a draft is kept for its user and cluster', () => {
  expect(writeDraft(1, 7, config)).toBeUndefined()
  expect(readDraft(1, 7)).toBe(config)
  expect(readDraft(2, 7)).toBe('')
  expect(readDraft(1, 8)).toBe('')
})

test('a draft with a Secret is not kept, not even while it cannot be read, and the one before goes as well', () => {
  writeDraft(1, 7, config)
  const secret = `${config}---\napiVersion: v1\nkind: Secret\nmetadata:\n\tname: s\nstringData: {p: hunter2}\n`
  expect(writeDraft(1, 7, secret)).toContain('holds a Secret')
  expect(readDraft(1, 7)).toBe('')
  expect(tabStorage.read('manifestDrafts')).not.toContain('hunter2')
})
