import {
  coveredBy,
  groupProblems,
  type RuleDirection,
  type SecurityGroupDraft,
  type SecurityRule,
} from '@bey/contract/networks/security-group-rules'
import { isValidNetworkName, networkNameRule } from '@bey/contract/networks/rules'
import { LayoutTemplate, Plus } from 'lucide-react'
import { type Network, type SecurityGroup, useGroupPlan } from '../../../data/networks.ts'
import { formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Section } from '../../../ui/section.tsx'
import { PlanSummary, useRested } from '../plan-summary.tsx'
import { RuleFields } from './rule-fields.tsx'
import { emptyRule, ruleTemplates } from './rule-templates.ts'
import { surroundingsOf } from './surroundings.ts'
import { TargetFields } from './target-fields.tsx'

export interface GroupDraft extends SecurityGroupDraft {
  name: string
  description: string
}

/** What is wrong with a draft, by field, as the server will say it. */
export function problemsOf(
  draft: GroupDraft,
  network: Network,
  groups: readonly SecurityGroup[],
): Record<string, string> {
  const name = draft.name.trim()
  const ofName =
    name === '' ? 'Enter a name for the group.' : isValidNetworkName(name) ? undefined : networkNameRule
  const found = groupProblems(draft, surroundingsOf(network, groups)).toReversed()
  return {
    ...Object.fromEntries(found.map(({ path, message }) => [path, message])),
    ...(ofName === undefined ? {} : { name: ofName }),
  }
}

interface GroupFieldsProps {
  draft: GroupDraft
  network: Network
  /** The other groups of the network. */
  groups: readonly SecurityGroup[]
  errors: Readonly<Record<string, string>>
  /** Its name is part of the names of its policies, so it is chosen once. */
  isNew: boolean
  onChange: (part: Partial<GroupDraft>) => void
}

/** Name, targets and rules of a group. */
export function GroupFields({ draft, network, groups, errors, isNew, onChange }: GroupFieldsProps) {
  return (
    <>
      {isNew ? (
        <Field label="Name" required hint={networkNameRule} error={errors['name']}>
          {(control) => (
            <Input
              {...control}
              value={draft.name}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              onChange={(event) => onChange({ name: event.target.value })}
            />
          )}
        </Field>
      ) : null}
      <TargetFields
        targets={draft.targets}
        network={network}
        errors={errors}
        onChange={(targets) => onChange({ targets })}
      />
      <div>
        <Menu
          trigger={
            <Button size="small" icon={<LayoutTemplate size={14} aria-hidden />}>
              Use a template
            </Button>
          }
        >
          {ruleTemplates.map(({ id, label, about, filtersIn, filtersOut, rules }) => (
            <MenuItem key={id} onSelect={() => onChange({ filtersIn, filtersOut, rules })}>
              <span title={about}>{label}</span>
            </MenuItem>
          ))}
        </Menu>
      </div>
      {(['in', 'out'] as const).map((direction) => (
        <Rules
          key={direction}
          direction={direction}
          draft={draft}
          network={network}
          groups={groups}
          errors={errors}
          onChange={onChange}
        />
      ))}
      <Field label="Description" required={false} error={errors['description']}>
        {(control) => (
          <Input
            {...control}
            value={draft.description}
            maxLength={500}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}

const words = {
  in: {
    title: 'Entering',
    closed: 'Close what comes in but for these rules',
    open: 'Everything comes in.',
    none: 'No rule: nothing comes in.',
  },
  out: {
    title: 'Leaving',
    closed: 'Close what goes out but for these rules',
    open: 'Everything goes out.',
    none: 'No rule: nothing goes out, not even a look-up of a name.',
  },
} as const

function Rules({
  direction,
  draft,
  network,
  groups,
  errors,
  onChange,
}: Omit<GroupFieldsProps, 'isNew'> & { direction: RuleDirection }) {
  const { rules } = draft
  const isFiltered = direction === 'in' ? draft.filtersIn : draft.filtersOut
  const covered = coveredBy(rules)
  const shown = rules.flatMap((rule, at) => (rule.direction === direction ? [{ rule, at }] : []))
  const set = (at: number, rule: SecurityRule) =>
    onChange({ rules: rules.map((each, index) => (index === at ? rule : each)) })
  const { title, closed, open, none } = words[direction]
  return (
    <Section
      title={title}
      aside={
        isFiltered ? `${formatCount(shown.length, 'rule')}${shown.length > 1 ? ', which add up' : ''}` : open
      }
    >
      <Checkbox
        label={closed}
        checked={isFiltered}
        onChange={(event) =>
          onChange({
            [direction === 'in' ? 'filtersIn' : 'filtersOut']: event.target.checked,
            ...(event.target.checked ? {} : { rules: rules.filter((rule) => rule.direction !== direction) }),
          })
        }
      />
      {isFiltered ? (
        <div className="mt-2">
          {shown.length === 0 ? <p className="text-text-2">{none}</p> : null}
          <ol className="border-t border-line empty:border-0">
            {shown.map(({ rule, at }) => {
              const by = covered[at]
              return (
                <RuleFields
                  key={at}
                  rule={rule}
                  number={at + 1}
                  coveredBy={by === undefined ? undefined : by + 1}
                  error={ruleError(errors, at)}
                  network={network}
                  groups={groups}
                  onChange={(next) => set(at, next)}
                  onRemove={() => onChange({ rules: rules.filter((_, index) => index !== at) })}
                />
              )
            })}
          </ol>
          <div className="mt-2">
            <Button
              size="small"
              icon={<Plus size={14} aria-hidden />}
              onClick={() => onChange({ rules: [...rules, { ...emptyRule, direction }] })}
            >
              {direction === 'in' ? 'Add rule for entering' : 'Add rule for leaving'}
            </Button>
          </div>
        </div>
      ) : null}
    </Section>
  )
}

function ruleError(errors: Readonly<Record<string, string>>, at: number): string | undefined {
  const path = `rules.${at}`
  return Object.entries(errors).find(([key]) => key === path || key.startsWith(`${path}.`))?.[1]
}

/** What saving would write, by the server. */
export function GroupPlan({
  draft,
  isValid,
  networkId,
  groupId,
}: {
  draft: GroupDraft
  isValid: boolean
  networkId: string
  groupId?: string
}) {
  const { name, description: _, ...rest } = draft
  const body = { ...rest, ...(groupId === undefined ? { name: name.trim() } : { groupId }) }
  const rested = useRested(isValid ? body : undefined)
  const plan = useGroupPlan(networkId, rested)
  return (
    <PlanSummary
      isValid={isValid}
      plan={plan}
      nothing={
        draft.targets.length === 0
          ? 'It is put on nothing yet, so no cluster is changed.'
          : 'No cluster is changed: its policies are as they would be.'
      }
    />
  )
}
