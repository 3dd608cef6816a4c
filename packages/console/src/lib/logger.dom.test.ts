import { beforeEach, expect, test, vi } from 'vitest'
import { getLogLevel, setLogLevel } from './log-level.ts'
import { createLogger } from './logger.ts'
import type { LoggerPorts } from './logger.ts'
import { createStorage, storage } from './storage.ts'

beforeEach(() => localStorage.clear())

function given(ports: Partial<LoggerPorts> = {}) {
  const printed: [method: string, text: string, detail?: unknown][] = []
  const print =
    (method: string) =>
    (...[text, detail]: unknown[]) =>
      void printed.push(detail === undefined ? [method, String(text)] : [method, String(text), detail])
  const logger = createLogger({
    storage: createStorage(localStorage),
    console: { debug: print('debug'), info: print('info'), warn: print('warn'), error: print('error') },
    level: () => 'trace',
    now: () => new Date('2026-11-21T10:00:00Z'),
    path: () => '/logger-demo',
    random: () => 0,
    later: (run) => run(),
    ...ports,
  })
  return { logger, printed }
}

test('each level is printed by the browser in its own way', () => {
  const { logger, printed } = given()
  for (const level of ['trace', 'debug', 'info', 'success', 'warning', 'error', 'fatal'] as const) {
    logger[level]('hello')
  }
  expect(printed).toEqual([
    ['debug', '[trace] hello'],
    ['debug', 'hello'],
    ['info', 'hello'],
    ['info', '[success] hello'],
    ['warn', 'hello'],
    ['error', 'hello'],
    ['error', '[fatal] hello'],
  ])
})

test('the least level is info by default, and anything that is not one counts as info', () => {
  expect(getLogLevel()).toBe('info')
  for (const nonsense of ['success', 'WARNING', 'verbose', '', '{}']) {
    localStorage.setItem('bey-log-level', nonsense)
    expect(getLogLevel()).toBe('info')
  }
  for (const level of ['trace', 'debug', 'info', 'warning', 'error', 'fatal'] as const) {
    setLogLevel(level)
    expect(localStorage.getItem('bey-log-level')).toBe(level)
    expect(getLogLevel()).toBe(level)
  }
})

test('what is below the least level is neither printed nor kept', () => {
  const { logger, printed } = given({ level: () => 'warning' })
  logger.info('quiet')
  logger.success('quiet')
  logger.warning('loud')
  expect(printed.map(([, text]) => text)).toEqual(['loud'])
  expect(logger.lines().map((line) => line.message)).toEqual(['loud'])
})

test('the last 1,000 lines outlive a reload, of every tab', () => {
  const { logger } = given()
  for (let index = 0; index < 1100; index += 1) logger.info(`line ${index}`)
  const { logger: other } = given()
  other.info('from another tab')
  const reloaded = given().logger.lines()
  expect(reloaded).toHaveLength(1000)
  expect(reloaded[0]?.message).toBe('line 101')
  expect(reloaded.at(-1)?.message).toBe('from another tab')
})

test('however long the lines are, the log takes a bounded part of the storage', () => {
  const { logger } = given()
  for (let index = 0; index < 300; index += 1) logger.info('x'.repeat(60_000), { text: 'y'.repeat(60_000) })
  expect(localStorage.getItem('bey-log-lines')?.length).toBeLessThan(400_000)
  expect(logger.lines().length).toBeGreaterThan(40)
})

test('lines that somebody else spoiled are left out', () => {
  localStorage.setItem(
    'bey-log-lines',
    '[1,null,{"level":"loud"},{"at":"a","level":"info","message":"kept","path":"/"}]',
  )
  expect(
    given()
      .logger.lines()
      .map((line) => line.message),
  ).toEqual(['kept'])
  localStorage.setItem('bey-log-lines', '{broken')
  expect(given().logger.lines()).toEqual([])
})

test('secrets are neither printed nor kept', () => {
  const { logger, printed } = given()
  logger.error('login with password=hunter2', { body: '{"token":"hunter2"}', headers: { apiKey: 'hunter2' } })
  expect(JSON.stringify(printed)).not.toContain('hunter2')
  expect(localStorage.getItem('bey-log-lines')).not.toContain('hunter2')
})

test('who reports what the console prints may log itself without an end', () => {
  const { logger } = given({
    console: {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: () => logger.error('the report failed'),
    },
  })
  logger.error('first')
  logger.error('second')
  expect(logger.lines().map((line) => line.message)).toEqual(['first', 'second'])
})

test('one measurement in ten is written', () => {
  let draw = 0
  const { logger, printed } = given({ random: () => (draw++ % 100) / 100 })
  for (let index = 0; index < 100; index += 1) logger.metric('load', 12.4)
  expect(printed).toHaveLength(10)
  expect(printed[0]).toEqual(['debug', 'load took 12 ms'])
})

test('lines wait a moment to be kept together, and are kept when the page is left', () => {
  const later = vi.fn()
  const { logger } = given({ later })
  logger.info('one')
  logger.info('two')
  expect(later).toHaveBeenCalledTimes(1)
  expect(localStorage.getItem('bey-log-lines')).toBeNull()
  expect(logger.lines()).toHaveLength(2)
  logger.flush()
  expect(JSON.parse(localStorage.getItem('bey-log-lines') ?? '')).toHaveLength(2)
  logger.clear()
  expect(logger.lines()).toEqual([])
  expect(storage.read('logLines')).toBeNull()
})

test('who shows the lines hears of each', () => {
  const { logger } = given()
  const heard = vi.fn()
  const stop = logger.subscribe(heard)
  const before = logger.lines()
  expect(logger.lines()).toBe(before)
  logger.info('one')
  expect(heard).toHaveBeenCalledTimes(1)
  expect(logger.lines()).not.toBe(before)
  stop()
  logger.info('two')
  expect(heard).toHaveBeenCalledTimes(1)
})
