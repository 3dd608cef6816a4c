import { SidewaysScroll } from '../../../ui/sideways-scroll.tsx'
import { Section } from '../../../ui/section.tsx'
import { TableCard } from '../../../ui/table-card.tsx'
import type { PanelPart } from './panel-parts.ts'
import { PanelValueView } from './panel-value.tsx'

/** A small table of an object's own values; it needs no order, pages or keyboard. */
export function PanelTable({
  part: { title, columns, rows, empty },
  clusterId,
}: {
  part: Extract<PanelPart, { type: 'table' }>
  clusterId: number
}) {
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <p className="text-text-2">{empty}</p>
      ) : (
        <TableCard>
          <SidewaysScroll label={title}>
            <table aria-label={title} className="w-full border-separate border-spacing-0">
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th
                      key={column}
                      scope="col"
                      className="h-8 border-b border-line px-3 text-left text-small font-medium whitespace-nowrap text-text-2"
                    >
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row, index) => (
                  // The rows of an object have no key that is sure to differ.
                  // oxlint-disable-next-line react/no-array-index-key
                  <tr key={index}>
                    {columns.map((column, place) => (
                      <td
                        key={column}
                        className={
                          place === 0
                            ? 'border-b border-line px-3 py-2 align-top font-medium break-words'
                            : 'border-b border-line px-3 py-2 align-top break-words text-text-2'
                        }
                      >
                        <PanelValueView value={row[place] ?? null} clusterId={clusterId} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </SidewaysScroll>
        </TableCard>
      )}
    </Section>
  )
}
