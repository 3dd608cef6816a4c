import type { AnnotationDetail } from '@bey/contract'
import { expect, test } from 'vitest'
import { markdownOf } from './markdown.ts'

const ada = { type: 'user', id: '1', name: 'Ada', email: null } as const

const note = (values: Partial<AnnotationDetail>): AnnotationDetail => ({
  id: '0190c6f0-0000-7000-8000-000000000000',
  userId: 1,
  createdBy: ada,
  componentName: 'Table',
  xpath: '/html[1]',
  selectedText: null,
  annotationText: 'x',
  url: '/',
  viewport: { width: 1, height: 1 },
  elementRect: { top: 0, left: 0, width: 1, height: 1 },
  status: 'open',
  resolvedAt: null,
  resolvedBy: null,
  replyCount: 0,
  replies: [],
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
  ...values,
})

const body = (annotationText: string) =>
  markdownOf('Engines', new Date(0), [note({ annotationText })])
    .split('\n')
    .filter((line) => line.startsWith('>'))
    .join('\n')

test.each([
  ['# Heading', '> \\# Heading'],
  ['- item', '> \\- item'],
  ['1. item', '> 1\\. item'],
  ['<img src=x onerror=alert(1)>', '> \\<img src=x onerror=alert(1)\\>'],
  ['![a](https://evil.example/p.png)', '> \\!\\[a\\](https:\\//evil.example/p.png)'],
  ['see www.evil.example', '> see www\\.evil.example'],
  ['@everyone `code` *bold* ~~gone~~ a|b', '> \\@everyone \\`code\\` \\*bold\\* \\~\\~gone\\~\\~ a\\|b'],
  ['one\r\n\r\ntwo', '> one\n>\n> two'],
])('%j stays text', (text, expected) => {
  expect(body(text)).toBe(expected)
})

test('a code span holds backticks of its own', () => {
  const text = markdownOf('Engines', new Date(0), [note({ xpath: '//*[@id="a``b"]' })])
  expect(text).toContain('- Element: ``` //*[@id="a``b"] ```')
})

test('the document says whose notes these are, how many, and who resolved them', () => {
  const resolved = note({ status: 'resolved', resolvedAt: '2026-11-21T10:00:00.000Z', resolvedBy: ada })
  const text = markdownOf('A_B', new Date(0), [resolved])
  expect(text).toContain('# Annotations of A\\_B\n\n1 annotation, exported 1970-01-01T00:00:00.000Z')
  expect(text).toContain('- Status: resolved by Ada, 2026-11-21T10:00:00.000Z')
})
