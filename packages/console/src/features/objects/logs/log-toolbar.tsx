import { Braces, Clock, Download, History, Pause, Play, WrapText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ListLocation } from '../../../lib/list-location.ts'
import { Button } from '../../../ui/button.tsx'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { KeyHint } from '../../../ui/key-hint.tsx'
import { logPeriods } from './log-periods.ts'
import type { LogLook } from './use-log-look.ts'

const severityOptions = [
  { value: 'info', label: 'Info and worse' },
  { value: 'warn', label: 'Warnings and worse' },
  { value: 'error', label: 'Errors' },
]

export interface LogToolbarProps {
  listLocation: ListLocation
  /** Names of the containers, as far as they are known. */
  containers: readonly string[]
  look: LogLook
  onToggle: (part: keyof LogLook) => void
  isPaused: boolean
  onTogglePause: () => void
  isDownloading: boolean
  onDownload: () => void
  /** The search field. */
  children: ReactNode
}

/** What of a log is read and how its lines are shown. */
export function LogToolbar(props: LogToolbarProps) {
  const { listLocation, containers, look, onToggle, isPaused, isDownloading, children } = props
  const { search: address, change } = listLocation
  const hasPrevious = address.type === 'previous'
  return (
    <div className="flex flex-wrap items-center gap-2">
      {children}
      {containers.length > 1 || address.label ? (
        <FilterSelect
          label="Container"
          all="All containers"
          value={address.label}
          options={containers}
          onChange={(value) => change({ label: value })}
        />
      ) : null}
      <FilterSelect
        label="Severity"
        all="All severities"
        value={address.status}
        options={severityOptions}
        onChange={(value) => change({ status: value })}
      />
      <FilterSelect
        label="Period"
        all={logPeriods['']?.label ?? ''}
        value={address.period}
        options={Object.entries(logPeriods).flatMap(([value, { label }]) =>
          value ? [{ value, label }] : [],
        )}
        onChange={(value) => change({ period: value })}
      />
      <span className="ml-auto flex items-center gap-1">
        <ToggleButton
          label="Previous runs too"
          isPressed={hasPrevious}
          icon={<History size={14} aria-hidden />}
          onClick={() => change({ type: hasPrevious ? '' : 'previous' })}
        />
        <ToggleButton
          label="Wrap lines"
          shortcut="w"
          isPressed={look.isWrapped}
          icon={<WrapText size={14} aria-hidden />}
          onClick={() => onToggle('isWrapped')}
        />
        <ToggleButton
          label="Show times"
          isPressed={look.hasTime}
          icon={<Clock size={14} aria-hidden />}
          onClick={() => onToggle('hasTime')}
        />
        <ToggleButton
          label="Show JSON as fields"
          isPressed={look.areFieldsParsed}
          icon={<Braces size={14} aria-hidden />}
          onClick={() => onToggle('areFieldsParsed')}
        />
        <IconButton
          label={isDownloading ? 'Downloading' : 'Download everything that the cluster keeps'}
          size="small"
          disabled={isDownloading}
          icon={<Download size={14} aria-hidden />}
          onClick={props.onDownload}
        />
        <Button
          size="small"
          icon={isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
          onClick={props.onTogglePause}
        >
          {isPaused ? 'Resume' : 'Pause'} <KeyHint keys={['Space']} />
        </Button>
      </span>
    </div>
  )
}

function ToggleButton({
  isPressed,
  ...button
}: {
  label: string
  shortcut?: string
  isPressed: boolean
  icon: ReactNode
  onClick: () => void
}) {
  return (
    <IconButton
      {...button}
      size="small"
      aria-pressed={isPressed}
      className={isPressed ? 'bg-active text-text' : ''}
    />
  )
}
