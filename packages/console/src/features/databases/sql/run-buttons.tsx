import { Play, Square } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { KeyHint, keyText } from '../../../ui/key-hint.tsx'
import type { SqlTask, useSqlRun } from './use-sql-run.ts'

interface RunButtonsProps {
  refusal: string | undefined
  /** Why one may not change anything. */
  deniedWrite: string | undefined
  isWriting: boolean
  onWriting: (isWriting: boolean) => void
  sql: ReturnType<typeof useSqlRun>
  onRun: () => void
  onStart: (task: SqlTask) => void
}

/** What is done with the statement, and whether it may change something. */
export function RunButtons(props: RunButtonsProps) {
  const { refusal, deniedWrite, isWriting, onWriting, sql, onRun, onStart } = props
  const { running } = sql
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Checkbox
        label="Allow writing"
        checked={isWriting}
        disabled={deniedWrite !== undefined}
        {...(deniedWrite !== undefined && { hint: deniedWrite })}
        onChange={(event) => onWriting(event.target.checked)}
      />
      {running ? (
        <Button
          size="small"
          icon={<Square size={12} aria-hidden />}
          busy={sql.isCancelling}
          onClick={sql.cancel}
        >
          Stop
        </Button>
      ) : null}
      <Button
        size="small"
        disabledReason={refusal}
        busy={running?.task === 'explain'}
        onClick={() => onStart('explain')}
      >
        Explain <KeyHint keys={['Mod', 'E']} />
      </Button>
      <Button
        size="small"
        disabledReason={refusal}
        busy={running?.task === 'analyze'}
        onClick={() => onStart('analyze')}
      >
        Analyze
      </Button>
      <Button
        size="small"
        variant={isWriting ? 'danger' : 'primary'}
        icon={<Play size={12} aria-hidden />}
        disabledReason={refusal}
        busy={running?.task === 'read' || running?.task === 'write'}
        onClick={onRun}
      >
        {isWriting ? 'Run and change' : 'Run'}{' '}
        <kbd className="font-sans text-meta">{keyText(['Mod', 'Enter'])}</kbd>
      </Button>
    </div>
  )
}
