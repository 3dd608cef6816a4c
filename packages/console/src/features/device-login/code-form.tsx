import { normalizeUserCode } from '@bey/contract'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

/** Asks for the code of the terminal, where the address has none. */
export function CodeForm({ onCode }: { onCode: (code: string) => void }) {
  const [text, setText] = useState('')
  const [isRefused, setRefused] = useState(false)
  const code = normalizeUserCode(text)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (code === '') setRefused(true)
        else onCode(code)
      }}
    >
      <h1 className="text-title font-semibold">Log in the command line</h1>
      <p className="mt-1 text-text-2">
        Run <code className="font-mono text-small">bey login</code> in a terminal. It shows a code.
      </p>
      <Field
        label="Code"
        className="mt-6 max-w-64"
        error={
          isRefused && code === '' ? 'Enter the 8 letters as the terminal shows them, like WDJB-MJHT.' : null
        }
      >
        {(control) => (
          <Input
            {...control}
            value={text}
            onChange={({ target }) => setText(target.value)}
            autoComplete="one-time-code"
            spellCheck={false}
            className="font-mono uppercase"
            maxLength={20}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" className="mt-4">
        Continue
      </Button>
    </form>
  )
}
