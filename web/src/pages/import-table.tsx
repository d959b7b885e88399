import { Button, Paper, Table, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { fieldsOf, type ImportField } from '../../../src/import/tables/columns.ts';
import {
  type ImportDraft,
  type ImportRow,
  withCells,
  withLine,
  withoutLine,
} from '../../../src/import/tables/draft.ts';
import { formatCount } from '../format.ts';
import { columnLabel } from '../import/labels.ts';
import { type RowState, reportOf, type TableReport } from '../import/outcome.ts';
import frame from '../parts/data-table.module.css';
import { useOwnFields } from '../parts/own-fields.tsx';
import { useBands, useDepartments } from '../session/queries.ts';
import { corporateCompanies, useProfile } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { ImportLine } from './import-line.tsx';
import classes from './import-table.module.css';

interface ImportTableProps {
  companyId: string;
  draft: ImportDraft;
  change: (draft: ImportDraft) => void;
  rows: readonly ImportRow[];
  states: ReadonlyMap<number, RowState | undefined>;
  report: TableReport | undefined;
}

/** Lines per block, which is the unit of rendering. */
const BLOCK = 25;
/** Estimated height in pixels of a line before its first rendering. */
const LINE_HEIGHT = 52;

/** Widths in rem; fixed, so that columns stay in place while other lines are rendered. */
const STATE_WIDTH = 11;
const WIDE: readonly ImportField[] = ['email', 'department', 'addressLine1', 'addressLine2', 'id'];
const widthOf = (field: ImportField) => (WIDE.includes(field) ? 15 : 8.5);

/** The table of lines, virtualised: only visible blocks are rendered. */
export function ImportTable({ companyId, draft, change, rows, states, report }: ImportTableProps) {
  const names = useNames(companyId);
  const { read: own } = useOwnFields('user', companyId);
  const [last, setLast] = useState<Correction>();
  const fields = fieldsOf(draft.targets);
  const same = last ? rows.filter((row) => states.get(row.line) === 'wrong' && isLike(row, last)) : [];
  const repeat = last && {
    field: last.field,
    count: same.length,
    run: () => {
      change(
        withCells(
          draft,
          same.map(({ line }) => line),
          last.field,
          last.to,
        ),
      );
      setLast(undefined);
    },
  };
  const wrong = rows.filter(({ line }) => states.get(line) === 'wrong');
  const { frameRef, wanted, next, remember } = useNextProblem(wrong.map(({ line }) => line));
  const blocks = Array.from({ length: Math.ceil(rows.length / BLOCK) }, (_, at) =>
    rows.slice(at * BLOCK, (at + 1) * BLOCK),
  );
  return (
    <>
      <Title order={2} size="h4">
        {t('Lines')}
      </Title>
      <Paper withBorder className={frame.frame} ref={frameRef} onFocusCapture={remember}>
        <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="group" aria-label={t('Lines')}>
          <Table
            className={`${frame.table} ${classes.table}`}
            role="table"
            aria-label={t('Lines')}
            aria-rowcount={rows.length + 1}
            style={{ '--width': `${fields.reduce((sum, field) => sum + widthOf(field), STATE_WIDTH)}rem` }}
          >
            <Table.Thead role="rowgroup">
              <Table.Tr role="row" aria-rowindex={1}>
                <Table.Th role="columnheader" scope="col" w={`${STATE_WIDTH}rem`}>
                  {t('Line')}
                </Table.Th>
                {fields.map((field) => (
                  <Table.Th key={field} role="columnheader" scope="col" w={`${widthOf(field)}rem`}>
                    {columnLabel(field, own)}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            {blocks.map((block, at) => (
              <Block
                key={block[0]?.line}
                isFirst={at === 0}
                isWanted={block.some(({ line }) => line === wanted)}
                size={block.length}
                columns={fields.length + 1}
              >
                {() =>
                  block.map((row, index) => (
                    <ImportLine
                      key={row.line}
                      index={at * BLOCK + index + 2}
                      row={row}
                      state={states.get(row.line)}
                      report={reportOf(report, row.line)}
                      fields={fields}
                      own={own}
                      names={names}
                      setCell={(field, text) => {
                        setLast({ line: row.line, field, from: row.original[field] ?? '', to: text });
                        change(withCells(draft, [row.line], field, text));
                      }}
                      paste={(field, texts) => {
                        const from = rows.indexOf(row);
                        const filled = texts.slice(0, rows.length - from);
                        change(
                          filled.reduce(
                            (next, text, at) => withCells(next, [rows[from + at]?.line ?? 0], field, text.trim()),
                            draft,
                          ),
                        );
                      }}
                      repeat={last?.line === row.line ? repeat : undefined}
                      setLine={(text: string) => change(withLine(draft, row.line, text))}
                      leaveOut={() => change(withoutLine(draft, row.line))}
                    />
                  ))
                }
              </Block>
            ))}
          </Table>
        </Table.ScrollContainer>
      </Paper>
      {wrong.length > 0 && (
        <Button className={classes.next ?? ''} variant="default" onClick={next} data-screen-only>
          {t('Next problem ({count})', { count: formatCount(wrong.length) })}
        </Button>
      )}
    </>
  );
}

/**
 * The way from one box with a problem to the next one, from the last one that had the focus on, and from the end to the beginning.
 *
 * @param lines with problems, in their order; of one without such a box it is the first box
 */
function useNextProblem(lines: readonly number[]) {
  const frameRef = useRef<HTMLDivElement>(null);
  const last = useRef<Element>(undefined);
  const [wanted, setWanted] = useState<{ line: number | undefined }>({ line: undefined });
  const boxesOf = (line: number | undefined) => {
    const row = frameRef.current?.querySelector(`tr[data-line="${line}"]`);
    const invalid = [...(row?.querySelectorAll<HTMLElement>('input[aria-invalid=true]') ?? [])];
    return invalid.length > 0 ? invalid : [...(row?.querySelectorAll<HTMLElement>('input') ?? [])].slice(0, 1);
  };
  useEffect(() => {
    const [box] = boxesOf(wanted.line);
    box?.scrollIntoView({ block: 'center' });
    box?.focus();
  }, [wanted]);
  const next = () => {
    const line = Number(last.current?.closest('tr')?.getAttribute('data-line') ?? -1);
    const boxes = lines.includes(line) ? boxesOf(line) : [];
    const after = boxes.find((box) => isBehind(box, last.current));
    if (after) after.focus();
    else setWanted({ line: lines.find((one) => one > line) ?? lines[0] });
  };
  const remember = ({ target }: { target: Element }) => {
    if (target.matches('input')) last.current = target;
  };
  return { frameRef, wanted: wanted.line, next, remember };
}

function isBehind(box: Element, other: Element | undefined): boolean {
  return other !== undefined && (other.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
}

/** The last correction. */
interface Correction {
  line: number;
  field: ImportField;
  from: string;
  to: string;
}

function isLike({ line, texts, original }: ImportRow, last: Correction): boolean {
  const text = texts[last.field] ?? '';
  return line !== last.line && text !== last.to && (original[last.field] ?? '') === last.from;
}

interface BlockProps {
  isFirst: boolean;
  /** Whether it has the line that is gone to. */
  isWanted: boolean;
  size: number;
  columns: number;
  children: () => ReactNode;
}

/** Renders its lines while they are near the viewport or have the focus, otherwise an empty block of the same height. */
function Block({ isFirst, isWanted, size, columns, children }: BlockProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const height = useRef(size * LINE_HEIGHT);
  const [isNear, setNear] = useState(isFirst);
  useEffect(() => {
    const { current } = body;
    if (!current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const isSeen = entries.at(-1)?.isIntersecting ?? false;
        if (!isSeen && current.contains(document.activeElement)) return;
        if (!isSeen && current.offsetHeight > 0) height.current = current.offsetHeight;
        setNear(isSeen);
      },
      { rootMargin: '600px 0px' },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <Table.Tbody ref={body} role="rowgroup">
      {isNear || isWanted ? (
        children()
      ) : (
        <Table.Tr aria-hidden="true" h={height.current}>
          <Table.Td colSpan={columns} />
        </Table.Tr>
      )}
    </Table.Tbody>
  );
}

/** Returns the names of the company's departments and bands by id, if the user may list them. */
function useNames(companyId: string): ReadonlyMap<string, string> {
  const { data } = useProfile();
  const isOpen = data !== undefined && corporateCompanies(data.profile).includes(companyId);
  const departments = useDepartments(isOpen ? companyId : undefined);
  const bands = useBands(isOpen ? companyId : undefined);
  return new Map([...(departments ?? []), ...(bands ?? [])].map(({ id, name }) => [id, name]));
}
