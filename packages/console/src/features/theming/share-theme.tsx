import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import type { ThemeSource } from '../../ui/theme/presets.ts'
import { changeTheme } from './theme.ts'
import { readShareCode, shareCode } from './share-code.ts'

/** The colours as a code to give away, and a field for somebody else's. */
export function ShareTheme({ shown }: { shown: ThemeSource }) {
  const code = shareCode(shown)
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [isApplied, setApplied] = useState(false)

  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const read = readShareCode(text)
    setApplied('source' in read)
    if ('error' in read) return setError(read.error)
    const { base, accent, contrast } = read.source
    setError(undefined)
    setText('')
    changeTheme({ baseColor: base, accentColor: accent, contrast })
  }

  return (
    <div className="flex max-w-md flex-col gap-4">
      <Field label="Code of this theme">
        {(control) => (
          <Input
            {...control}
            readOnly
            value={code}
            onFocus={(event) => event.target.select()}
            className="font-mono"
            trailing={<CopyButton text={code} label="Copy code" />}
          />
        )}
      </Field>
      <form onSubmit={apply} noValidate>
        <Field label="Use the code of another theme" error={error}>
          {(control) => (
            <div className="flex gap-2">
              <Input
                {...control}
                value={text}
                autoComplete="off"
                spellCheck={false}
                maxLength={100}
                placeholder="bey1-…"
                className="font-mono"
                onChange={(event) => {
                  setText(event.target.value)
                  setError(undefined)
                  setApplied(false)
                }}
              />
              <Button type="submit">Apply</Button>
            </div>
          )}
        </Field>
        <output className="text-small text-text-2">{isApplied ? 'The theme is applied.' : ''}</output>
      </form>
    </div>
  )
}
