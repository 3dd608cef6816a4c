import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SeriesEnds } from './series-ends.tsx'

test('the form and the colour of a line stand at its end and before its name', () => {
  const names = ['prod', 'staging', 'dev', 'edge', 'lab']
  const { container } = render(
    <SeriesEnds
      panel={{
        title: 'CPU',
        height: 200,
        series: names.map((name, index) => ({ name, values: [10 * index, 10 * index + 5] })),
        references: [{ name: 'limit', values: [90, 90] }],
        format: (value) => `${value}%`,
      }}
      times={[0, 1000]}
      range={{ fromMs: 0, toMs: 1000 }}
      top={100}
      width={300}
      labelWidth={100}
    />,
  )
  const rows = [...container.children].map((row) =>
    [...row.querySelectorAll<SVGElement>('[data-series-glyph]')].map(
      (glyph) => `${glyph.dataset['seriesGlyph']} ${glyph.style.color}`,
    ),
  )
  const looks = ['● 1', '■ 2', '◆ 3', '○ 4', '● 5'].map((look) =>
    look.replace(/\d/, (tone) => `var(--chart-${tone})`),
  )
  expect(rows).toEqual([...looks.map((look) => [look, look]), []])
})
