import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { RunDetail } from '../../../data/workflows.ts'
import { momentText } from '../../../ui/time-text.ts'
import { RecoveryLine } from './recovery-line.tsx'

test('when a process was lost says its day where that is not today', () => {
  const lostAt = new Date(Date.now() - 86_400_000)
  const attempt = { stepKey: 'a', attempt: 1, executorId: 'one', status: 'interrupted' }
  // Of a run nothing else is read.
  const detail = {
    run: { recoveryCount: 1, status: 'running' },
    steps: [],
    attempts: [{ ...attempt, startedAt: lostAt.toISOString(), finishedAt: lostAt.toISOString() }],
  } as unknown as RunDetail
  render(<RecoveryLine detail={detail} />)
  expect(momentText(lostAt)).toMatch(/yesterday$/)
  expect(screen.getByText(`Process one was alive last at ${momentText(lostAt)}.`)).toBeDefined()
})
