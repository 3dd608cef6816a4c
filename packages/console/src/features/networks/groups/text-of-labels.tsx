import type { PodLabels } from '@bey/contract/networks/security-group-rules'
import { useState } from 'react'
import { Input } from '../../../ui/input.tsx'
import { labelsOf, labelsText } from './label-text.ts'

/** Labels as a line of text; what is typed stays as it is until the field is left. */
export function TextOfLabels({
  label,
  labels,
  onChange,
}: {
  label: string
  labels: PodLabels
  onChange: (labels: PodLabels) => void
}) {
  const [text, setText] = useState<string>()
  return (
    <span className="min-w-44 flex-1">
      <Input
        aria-label={label}
        placeholder="app=web, all pods if empty"
        value={text ?? labelsText(labels)}
        spellCheck={false}
        autoComplete="off"
        className="font-mono"
        onBlur={() => setText(undefined)}
        onChange={(event) => {
          setText(event.target.value)
          onChange(labelsOf(event.target.value))
        }}
      />
    </span>
  )
}
