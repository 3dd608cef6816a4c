import { expect, test } from 'vitest'
import { createAttendance } from './attendance.ts'

function given() {
  let now = 1_000_000
  const attendance = createAttendance(() => now)
  const page = new EventTarget()
  let reports = 0
  const stop = attendance.watch(page, () => (reports += 1))
  return {
    ...attendance,
    stop,
    act: (type: string) => page.dispatchEvent(new Event(type)),
    wait: (ms: number) => (now += ms),
    reports: () => reports,
  }
}

test('a page is attended for a minute after a person did something', () => {
  const { isAttended, act, wait } = given()
  expect(isAttended()).toBe(true)
  wait(60_000)
  expect(isAttended()).toBe(false)
  for (const type of ['pointermove', 'keydown', 'wheel', 'pointerdown', 'touchstart']) {
    act(type)
    expect(isAttended()).toBe(true)
    wait(60_000)
    expect(isAttended()).toBe(false)
  }
})

test('a person who types and asks for nothing is reported once a minute', () => {
  const { act, wait, reports } = given()
  for (let second = 0; second < 600; second += 1) {
    wait(1_000)
    act('keydown')
  }
  expect(reports()).toBe(12)
})

test('nothing is reported while requests say so anyway, nor once nobody watches', () => {
  const { act, wait, reports, recordUse, stop } = given()
  for (let second = 0; second < 120; second += 1) {
    wait(1_000)
    if (second % 30 === 0) recordUse()
    act('pointermove')
  }
  expect(reports()).toBe(0)
  stop()
  wait(600_000)
  act('keydown')
  expect(reports()).toBe(0)
})
