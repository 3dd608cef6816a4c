import { History } from 'lucide-react'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import type { RestorePlace } from './restore-place.ts'
import type { RestoreSource } from './restore-source.ts'

export interface RestoreActionsProps {
  place: RestorePlace
  source: RestoreSource
  /** In words; undefined while none can be restored. */
  moment: string | undefined
  /** The table whose rows are replaced, which has to be typed; undefined where nothing is replaced. */
  replaced: string | undefined
  typed: string
  onTyped: (typed: string) => void
  isBusy: boolean
  disabledReason: string | undefined
}

/** The name of what is replaced, typed, and the buttons; on a phone they stay at the thumb. */
export function RestoreActions(props: RestoreActionsProps) {
  const { source, replaced, typed, onTyped, isBusy, disabledReason } = props
  const isTyped = replaced === undefined || typed === replaced
  return (
    <>
      {replaced === undefined ? null : (
        <Field label={`Type ${replaced} to replace its rows`} required>
          {(control) => (
            <Input
              {...control}
              value={typed}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              onChange={({ target }) => onTyped(target.value)}
            />
          )}
        </Field>
      )}
      <div className="flex gap-2 max-lg:sticky max-lg:bottom-0 max-lg:z-10 max-lg:-mx-(--gutter) max-lg:border-t max-lg:border-line max-lg:bg-bg max-lg:px-(--gutter) max-lg:py-3 lg:border-t lg:border-line lg:pt-4">
        <Button
          type="submit"
          variant={replaced === undefined ? 'primary' : 'danger'}
          className="flex-1"
          icon={<History size={14} aria-hidden />}
          busy={isBusy}
          disabledReason={disabledReason ?? (isTyped ? undefined : 'Type the name of the table first.')}
        >
          {buttonText(props)}
        </Button>
        <ButtonLink href={source.live ? databaseHref(source.id, 'backups') : '/databases/backup-targets'}>
          Cancel
        </ButtonLink>
      </div>
    </>
  )
}

function buttonText({ place, source, moment, replaced }: RestoreActionsProps): string {
  if (replaced !== undefined) return `Replace rows with those of ${moment ?? ''}`
  const to = moment === undefined ? '' : ` to ${moment}`
  if (place === 'table') return `Restore the table${to}`
  return place === 'swap' ? `Restore${to} beside ${source.name}` : `Restore${to}`
}
