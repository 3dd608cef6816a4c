import { expect, test } from 'vitest'
import type { DocPassage } from './docs.ts'
import { searchDocs } from './docs.ts'

const passage = (heading: string, text: string, page = 'Workflows'): DocPassage => ({
  slug: page.toLowerCase(),
  page,
  id: heading.toLowerCase().replaceAll(' ', '-'),
  heading,
  text,
})
const passages = [
  passage('Guarantees', 'A step runs again after a crash only where that does no harm.'),
  passage('Retry', 'From the failed step, from any step, or all anew.'),
  passage('Backups', 'Each crash of the server is survived.', 'Databases'),
]
const found = (query: string) => searchDocs(passages, query).map(({ heading }) => heading)

test('every word must be held, in the heading, the page or the text', () => {
  expect(found('crash harm')).toEqual(['Guarantees'])
  expect(found('databases crash')).toEqual(['Backups'])
  expect(found('  ')).toEqual([])
})

test('a word in the heading counts more than one in the text', () => {
  expect(found('step')).toEqual(['Guarantees', 'Retry'])
  expect(found('retr')).toEqual(['Retry'])
})

test('where no passage holds all words, those with the most are found', () => {
  expect(found('crash harm unheard')).toEqual(['Guarantees'])
  expect(found('unheard-of')).toEqual([])
  expect(searchDocs(passages, 'crash harm unheard', { isWhole: true })).toEqual([])
})

test('the excerpt is what stands around the first word', () => {
  const long = passage('Long', `${'before '.repeat(40)}needle ${'after '.repeat(40)}`)
  const [hit] = searchDocs([long], 'needle')
  expect(hit?.excerpt).toMatch(/^…before .*needle after.*…$/)
  expect(hit?.excerpt.length).toBeLessThan(145)
})
