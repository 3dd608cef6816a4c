import { expect, test } from 'vitest'
import { answerConfirmation, askForConfirmation } from './step-up.ts'

test('everybody who waits for a confirmation gets the one answer', async () => {
  const asked = [askForConfirmation(), askForConfirmation()]
  answerConfirmation(true)
  expect(await Promise.all(asked)).toEqual([true, true])
  const later = askForConfirmation()
  answerConfirmation(false)
  expect(await later).toBe(false)
})
