import type { SqlPlan, SqlResult } from '@bey/contract'
import { useRef, useState } from 'react'
import { useChange } from '../../../data/use-change.ts'
import { errorText } from '../../../lib/error-text.ts'
import type { ErrorText } from '../../../lib/error-text.ts'

/** What was asked last. The statement is kept with its answer, for the text in the editor goes on. */
export type SqlAnswer = { statement: string; at: number } & (
  | { kind: 'result'; result: SqlResult }
  | { kind: 'plan'; plan: SqlPlan; wasExecuted: boolean }
  | { kind: 'failure'; error: ErrorText }
)

export type SqlTask = 'read' | 'write' | 'explain' | 'analyze'

/** Executes statements of the console one after the other, and cancels the one under way in its server. */
export function useSqlRun(databaseId: string) {
  const params = { id: databaseId }
  const query = useChange('databases.query', { isSecret: true })
  const execute = useChange('databases.execute', { isSecret: true })
  const explain = useChange('databases.explain', { isSecret: true })
  const cancelQuery = useChange('databases.cancelQuery')
  const [answer, setAnswer] = useState<SqlAnswer>()
  const [running, setRunning] = useState<{ queryId: string; task: SqlTask; since: number }>()
  const current = useRef<string>(undefined)

  async function ask(statement: string, task: SqlTask, queryId: string): Promise<SqlAnswer> {
    const body = { statement, queryId }
    const at = Date.now()
    switch (task) {
      case 'read': {
        const result = await query.mutateAsync({ params, body })
        return { kind: 'result', statement, at, result }
      }
      case 'write': {
        const result = await execute.mutateAsync({ params, body })
        return { kind: 'result', statement, at, result }
      }
      case 'explain':
      case 'analyze': {
        const wasExecuted = task === 'analyze'
        const plan = await explain.mutateAsync({ params, body: { ...body, analyze: wasExecuted } })
        return { kind: 'plan', statement, at, plan, wasExecuted }
      }
    }
  }

  async function run(text: string, task: SqlTask): Promise<void> {
    const statement = text.trim()
    if (statement === '' || current.current !== undefined) return
    const queryId = crypto.randomUUID()
    current.current = queryId
    setRunning({ queryId, task, since: Date.now() })
    try {
      setAnswer(await ask(statement, task, queryId))
    } catch (error) {
      const failure = errorText('The statement was not executed', error)
      setAnswer({ kind: 'failure', statement, at: Date.now(), error: failure })
    } finally {
      current.current = undefined
      setRunning(undefined)
    }
  }

  return {
    answer,
    running,
    run: (text: string, task: SqlTask): void => void run(text, task),
    /** Its end arrives as the answer of the statement. */
    cancel(): void {
      if (running) cancelQuery.mutate({ params: { ...params, queryId: running.queryId } })
    },
    isCancelling: cancelQuery.isPending,
  }
}
