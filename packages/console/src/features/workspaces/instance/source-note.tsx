import type { SettingSource } from '@bey/contract'
import { Badge } from '../../../ui/badge.tsx'

/** Who set it, where that is the environment, which nobody changes here. */
export function SourceNote({ source, variable }: { source: SettingSource; variable: string }) {
  if (source !== 'environment') return null
  return (
    <p className="flex flex-wrap items-center gap-2 text-small text-text-2">
      <Badge tone="info">environment</Badge>
      <span>
        Set by <code className="font-mono">{variable}</code>, which wins. Change it there.
      </span>
    </p>
  )
}
