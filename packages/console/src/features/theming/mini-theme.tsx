import type { CSSProperties } from 'react'
import type { ThemeSource } from '../../ui/theme/presets.ts'
import { cachedTheme } from './cached-theme.ts'

/** The console in a few strokes, in the colours of a theme. Decorative: its name stands beside it. */
export function MiniTheme({ source, className = '' }: { source: ThemeSource; className?: string }) {
  const { tokens } = cachedTheme(source)
  const color = (role: string): CSSProperties => ({ background: tokens[role] })
  return (
    <span
      aria-hidden
      className={`flex h-14 overflow-hidden rounded-control border border-line-strong ${className}`}
      style={{ ...color('bg'), borderColor: tokens['line-strong'] }}
    >
      <span
        className="flex w-1/4 flex-col gap-1 border-r p-1.5"
        style={{ ...color('sunken'), borderColor: tokens['line'] }}
      >
        <span className="size-1.5 rounded-full" style={color('accent')} />
        <span className="h-1 w-4/5 rounded-full" style={color('text-3')} />
        <span className="h-1 w-3/5 rounded-full" style={color('text-3')} />
      </span>
      <span className="flex flex-1 flex-col justify-between p-1.5">
        <span className="flex items-center justify-between">
          <span className="h-1.5 w-2/5 rounded-full" style={color('text')} />
          <span className="h-2.5 w-5 rounded-[3px]" style={color('accent')} />
        </span>
        <span className="h-1 w-4/5 rounded-full" style={color('text-2')} />
        <span className="h-1 w-3/5 rounded-full" style={color('text-3')} />
      </span>
    </span>
  )
}
