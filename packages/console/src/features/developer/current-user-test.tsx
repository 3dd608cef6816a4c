import { ApiError } from '@bey/client'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'

/** Asks the server who is logged in, past every cache, and shows the answer as it came. */
export function CurrentUserTest() {
  const [isBusy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<string>()
  const ask = async () => {
    setBusy(true)
    try {
      setAnswer(JSON.stringify(await api.call('auth.me', {}), null, 2))
    } catch (error) {
      setAnswer(failureText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <Button size="small" busy={isBusy} onClick={() => void ask()}>
        Test getCurrentUser()
      </Button>
      {answer === undefined ? null : (
        <div className="w-full">
          <CodeBlock label="Raw response" text={answer} maxHeight="12rem" />
        </div>
      )}
    </div>
  )
}

function failureText(error: unknown): string {
  const text = error instanceof ApiError ? `${error.status} ${error.statusText}` : causeOf(error)
  return `Failed to get user: ${text}`
}
