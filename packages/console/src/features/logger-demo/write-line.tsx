import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { isWritten, lineLevels, useLogLevel } from '../../lib/log-level.ts'
import { logger } from '../../lib/logger.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'

export function WriteLine() {
  const [level, setLevel] = useState<(typeof lineLevels)[number]>('info')
  const [message, setMessage] = useState('')
  const least = useLogLevel()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (message.trim() === '') return
    logger.write(level, message.trim())
    setMessage('')
  }
  return (
    <Section title="Write a line" isCard>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-[9rem_1fr]">
          <Field label="Level">
            {(control) => (
              <Select
                {...control}
                className="w-full"
                value={level}
                onChange={({ target }) =>
                  setLevel(lineLevels.find((each) => each === target.value) ?? 'info')
                }
                options={lineLevels.map((each) => ({ value: each, label: each }))}
              />
            )}
          </Field>
          <Field label="Message">
            {(control) => (
              <Input
                {...control}
                value={message}
                maxLength={1000}
                autoComplete="off"
                onChange={(event) => setMessage(event.target.value)}
              />
            )}
          </Field>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" disabled={message.trim() === ''}>
            Log Message
          </Button>
          {isWritten(level, least) ? null : (
            <p className="text-small text-text-2">
              Not written: the log level is {least}, and {level} weighs less.
            </p>
          )}
        </div>
      </form>
    </Section>
  )
}
