import type { SecretDetail } from '@bey/contract'
import { Section } from '../../ui/section.tsx'
import { ShareTable } from './share-table.tsx'
import { useRead } from '../../data/use-read.ts'

/** The links that were made of this secret; nothing where there were none. */
export function SecretLinks({ secret }: { secret: SecretDetail }) {
  const { data } = useRead('secretShares.list', { query: { secretId: secret.id } })
  if (data === undefined || data.shares.length === 0) return null
  const waiting = data.shares.filter(({ status }) => status === 'waiting').length
  return (
    <Section
      title="Links that open once"
      aside={
        waiting === 0 ? 'none waits to be opened' : `${waiting} wait${waiting === 1 ? 's' : ''} to be opened`
      }
    >
      <ShareTable shares={data.shares} empty={null} />
    </Section>
  )
}
