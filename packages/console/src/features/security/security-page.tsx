import { auditHref } from '../../entities/audit/audit-href.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useAuditLocation } from './audit-search.ts'
import { AuditTab } from './audit-tab.tsx'
import { PoliciesTab } from './policies-tab.tsx'
import { retentionText } from './policy-choices.ts'
import { useRead } from '../../data/use-read.ts'

/** Who may access the organization and how, and the record of every change. */
export function SecurityPage() {
  const { search } = useAuditLocation()
  const isAudit = search.tab === 'audit'
  const days = useRead('policies.get', {}).data?.auditRetentionDays
  return (
    <>
      <PageHeader
        title="Security"
        description="Who may access the organization and how, and the record of every change."
      >
        <Tabs
          label="Parts of security"
          tabs={[
            { href: '/workspaces/settings/security', label: 'Policies', isCurrent: !isAudit },
            { href: auditHref({}), label: 'Audit log', isCurrent: isAudit },
          ]}
        />
      </PageHeader>
      {isAudit ? <AuditTab foot={retentionText(days)} /> : <PoliciesTab />}
    </>
  )
}
