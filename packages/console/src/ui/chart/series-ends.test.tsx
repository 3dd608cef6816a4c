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

test('a line is named with its value of now where its last step is an average', () => {
  const { container } = render(
    <SeriesEnds
      panel={{
        title: 'Failing pods',
        height: 200,
        series: [
          { name: 'prod', values: [0, 6.7], now: 7 },
          { name: 'staging', values: [0, 2], now: null },
        ],
        format: (value) => `${value}`,
      }}
      times={[0, 1000]}
      range={{ fromMs: 0, toMs: 1000 }}
      top={10}
      width={300}
      labelWidth={100}
    />,
  )
  expect([...container.children].map(({ textContent }) => textContent)).toEqual(['prod7', 'staging2'])
})
