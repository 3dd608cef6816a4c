import type { BackupTarget } from '@bey/contract'
import { useChange } from '../../../data/use-change.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Link } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { toast } from '../../../ui/toast.ts'
import { keptText } from './target-text.ts'

export interface BucketSectionProps {
  target: BackupTarget
  /** Why it may not be changed. */
  disabledReason: string | undefined
  onChange: () => void
  onDelete: () => void
}

/** One bucket: how it is reached, who uses it, and whether it worked when it was last tried. */
export function BucketSection({ target, disabledReason, onChange, onDelete }: BucketSectionProps) {
  const { id, name, endpoint, region, bucket, prefix, accessKeyId, lastCheck, usedBy, databases } = target
  const check = useChange('databases.backupTargets.check')
  const mono = (text: string) => <code className="font-mono text-small">{text}</code>
  return (
    <Section
      title={name}
      isCard
      aside={
        <span className="flex gap-2">
          <Button
            size="small"
            busy={check.isPending}
            disabledReason={disabledReason}
            onClick={() =>
              check.mutate(
                { params: { id } },
                { onError: (error) => toast('error', `Failed to test ${name}: ${causeOf(error)}`) },
              )
            }
          >
            Test
          </Button>
          <Button size="small" disabledReason={disabledReason} onClick={onChange}>
            Change
          </Button>
          <Button size="small" disabledReason={disabledReason ?? usedReason(databases)} onClick={onDelete}>
            Delete
          </Button>
        </span>
      }
    >
      {lastCheck !== null && lastCheck.problem !== null ? (
        <div className="mb-2">
          <Notice tone="danger" title="It did not work when it was last tested">
            {lastCheck.problem}
          </Notice>
        </div>
      ) : null}
      <Facts
        facts={[
          { label: 'Bucket', value: mono(prefix === '' ? bucket : `${bucket}/${prefix}`) },
          { label: 'Service', value: endpoint === null ? `Amazon S3, ${region}` : mono(endpoint) },
          ...(endpoint === null ? [] : [{ label: 'Region', value: region }]),
          { label: 'Access key', value: mono(accessKeyId) },
          { label: 'Kept there', value: keptText(target) },
          ...(databases === 0
            ? []
            : [
                {
                  label: 'Used by',
                  value: (
                    <span className="flex flex-wrap justify-end gap-x-2">
                      {usedBy.map((database) => (
                        <Link key={database.id} href={databaseHref(database.id)}>
                          {database.name}
                        </Link>
                      ))}
                      {databases > usedBy.length ? `and ${databases - usedBy.length} more` : null}
                    </span>
                  ),
                },
              ]),
          { label: 'Tested', value: lastCheck === null ? 'Not yet' : <RelativeTime at={lastCheck.at} /> },
        ]}
      />
    </Section>
  )
}

const usedReason = (databases: number) =>
  databases === 0
    ? undefined
    : 'Databases use it. Choose another target in their policies and delete their backups there first.'
