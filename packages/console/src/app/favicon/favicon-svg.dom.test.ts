import { expect, test } from 'vitest'
import { faviconState, faviconUrl } from './favicon-svg.ts'

test('the worst health is shown while the page follows the server', () => {
  expect(faviconState('live', true, 'failing')).toBe('failing')
  expect(faviconState('live', true, 'degraded')).toBe('degraded')
  for (const health of ['healthy', 'starting', 'unknown', undefined] as const) {
    expect(faviconState('live', true, health)).toBe('healthy')
  }
})

test('a lost connection outranks what was known; the first one being made is none', () => {
  expect(faviconState('reconnecting', true, 'failing')).toBe('disconnected')
  expect(faviconState('disconnected', false, 'failing')).toBe('disconnected')
  expect(faviconState('reconnecting', false, undefined)).toBe('healthy')
})

test('every state is a well-formed image of its own', () => {
  const urls = (['healthy', 'degraded', 'failing', 'disconnected'] as const).map(faviconUrl)
  expect(new Set(urls).size).toBe(4)
  for (const url of urls) {
    const svg = decodeURIComponent(url.replace('data:image/svg+xml,', ''))
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml')
    expect(parsed.querySelector('parsererror')).toBeNull()
  }
})
