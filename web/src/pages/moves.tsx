import { Group, NativeSelect, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Body, Move, Person, Written } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { fieldLabel } from '../labels.ts';
import { choicesOf } from '../parts/choices.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { actions, type Column, plain } from '../parts/data-table.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { TextLink } from '../parts/links.tsx';
import { notify } from '../parts/notices.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { useBands, useDepartments } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { administers, corporateCompanies, isSuperAdmin } from '../session/use-profile.ts';
import { errorText, t } from '../translate.ts';

const STATES = {
  OPEN: t('Open', { context: 'move' }),
  AGREED: t('Moved'),
  DECLINED: t('Declined'),
  WITHDRAWN: t('Withdrawn'),
  EXPIRED: t('Expired'),
};
/** Results that a notice names. */
const NAMED = 10;

const nameOf = ({ user, askedFor }: Move) => (user === null ? askedFor : `${user.firstName} ${user.lastName}`);

const COLUMNS: readonly Column<Move>[] = [
  {
    name: t('Name'),
    show: (move) =>
      move.mayDecide && move.user ? (
        <TextLink href={`/people/${move.user.id}`}>{nameOf(move)}</TextLink>
      ) : (
        <bdi>{nameOf(move)}</bdi>
      ),
    text: nameOf,
  },
  { name: t('From', { context: 'move' }), ...plain(({ fromCompany }) => fromCompany?.name ?? t('another company')) },
  { name: t('To', { context: 'move' }), ...plain(({ company }) => company.name) },
  { name: t('Asked'), ...plain(({ requestedAt }) => formatMoment(requestedAt)) },
  {
    name: t('Status'),
    ...plain(({ status, expiresAt }) =>
      status === 'OPEN' ? t('Open until {date}', { date: formatMoment(expiresAt) }) : STATES[status],
    ),
  },
];

/** The moves to and from a company: to ask for people, to agree, to decline, and to take a request back. */
export function MovesPage({ profile }: { profile: Person }) {
  const { value, change } = useAddressState();
  const [picked, setPicked] = useState<readonly string[]>([]);
  const mayChange = (id: string) => isSuperAdmin(profile) || administers(profile, id);
  const state = value('status') || 'OPEN';
  const status = state in STATES ? (state as Move['status']) : undefined;
  return (
    <CompanyList
      path="/api/users/moves"
      profile={profile}
      title={t('Moves between companies')}
      lead={(company) =>
        t('People for whom {company} has asked, and people of {company} for whom other companies have.', { company })
      }
      crumbs={[{ href: '/people', label: t('People') }]}
      actions={({ id }) =>
        mayChange(id) && (
          <DialogButton title={t('Ask for people')} variant="filled">
            {(close) => (
              <AskForPeople companyId={id} isListed={corporateCompanies(profile).includes(id)} close={close} />
            )}
          </DialogButton>
        )
      }
      list={({ id: companyId }) => ({
        of: { status },
        columns: [...COLUMNS, actions(t('Change'), (move) => <Decide moves={[move]} companyId={companyId} />)],
        file: 'moves',
        controls: (
          <NativeSelect
            label={t('Status')}
            value={state}
            data={choicesOf({ ...STATES, ALL: t('All') })}
            onChange={(event) => change({ status: event.currentTarget.value })}
          />
        ),
        ...(status === 'OPEN' && {
          table: {
            ticks: {
              isTicked: ({ id }) => picked.includes(id),
              tick: (rows, isTicked) => {
                const others = picked.filter((id) => !rows.some((row) => row.id === id));
                setPicked(isTicked ? [...others, ...rows.map(({ id }) => id)] : others);
              },
              label: (move) => t('Select {name}', { name: nameOf(move) }),
              labelOfAll: t('Select all on this page'),
            },
          },
        }),
        below: (moves) => <Decide moves={moves.filter(({ id }) => picked.includes(id))} companyId={companyId} />,
      })}
    />
  );
}

type Results = Written<'/api/users/request-move'>['data']['results'];

/** Says of whom a request was refused, and why. */
function tellRefused(results: Results): void {
  const refused = results.filter(({ status }) => status === 'REFUSED');
  if (refused.length === 0) return;
  const texts = refused.slice(0, NAMED).map(({ askedFor, code, message }) => {
    const why = errorText(code ?? '') ?? message ?? '';
    return askedFor === null ? why : `${isolated(askedFor)}: ${why}`;
  });
  notify('failed', [...texts, ...(refused.length > NAMED ? ['…'] : [])].join(' '));
}

interface AskForPeopleProps {
  companyId: string;
  /** Whether the user may list the company's departments and bands. */
  isListed: boolean;
  close: () => void;
}

/** The form that asks for people by their addresses. */
function AskForPeople({ companyId, isListed, close }: AskForPeopleProps) {
  const { client } = useSession();
  const [text, setText] = useState('');
  const emails = text.split(/[\s,;]+/).filter(Boolean);
  const listed = isListed ? companyId : undefined;
  const choiceOf = (name: string, items: readonly { id: string; name: string }[] | undefined) => ({
    ...{ name, label: fieldLabel(name), choices: choicesOf(items, t('The default')) },
  });
  return (
    <RecordForm
      title={t('Ask for people')}
      fields={[choiceOf('departmentId', useDepartments(listed)), choiceOf('bandId', useBands(listed))]}
      first={{}}
      submit={t('Ask')}
      save={(chosen, key) =>
        client.post('/api/users/request-move', { companyId, emails, ...chosen } as Body<'/api/users/request-move'>, {
          key,
        })
      }
      done={({ data: { results } }) => {
        const count = results.filter(({ status }) => status !== 'REFUSED').length;
        notify('done', t('{count, plural, one {# person asked for.} other {# people asked for.}}', { count }));
        tellRefused(results);
        close();
      }}
      close={close}
      extra={{
        isChanged: text !== '',
        problem: emails.length === 0 ? t('Enter at least one e-mail address.') : undefined,
      }}
    >
      <Textarea
        label={t('E-mail addresses')}
        description={t('One or many. An administrator of their company, or a Super Admin, agrees within 30 days.')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rows={4}
        dir="auto"
      />
    </RecordForm>
  );
}

/** What can be done with open moves: decide on those from the company, take back those to it. */
function Decide({ moves, companyId }: { moves: readonly Move[]; companyId: string }) {
  const { client } = useSession();
  const open = moves.filter(({ status }) => status === 'OPEN');
  const [here, asked] = [
    open.filter(({ mayDecide }) => mayDecide),
    open.filter((move) => move.companyId === companyId),
  ];
  const buttonOf = (
    of: readonly Move[],
    path: '/api/users/agree-move' | '/api/users/decline-move' | '/api/users/withdraw-move',
    { label, text, color }: { label: string; text: string; color?: string },
  ) => {
    const [first] = of;
    if (first === undefined) return null;
    const name =
      of.length === 1
        ? isolated(nameOf(first))
        : t('{count, plural, one {# person} other {# people}}', { count: of.length });
    return (
      <ConfirmButton
        title={`${label}: ${name}`}
        {...(moves.length === 1 ? { label } : {})}
        text={text}
        {...(color === undefined ? {} : { color })}
        done={`${label}: ${name}`}
        run={async () => tellRefused((await client.post(path, { ids: of.map(({ id }) => id) })).data.results)}
        size="xs"
      />
    );
  };
  return (
    <Group gap="xs" justify="flex-end" mt={moves.length > 1 ? 'sm' : 0} wrap={moves.length > 1 ? 'wrap' : 'nowrap'}>
      {buttonOf(here, '/api/users/agree-move', {
        label: t('Agree'),
        text: t(
          'They start in the other company as joiners. Roles, department, manager and external ID end here; bookings and the history stay. This cannot be undone.',
        ),
      })}
      {buttonOf(here, '/api/users/decline-move', {
        ...{ label: t('Decline'), color: 'red' },
        text: t('They stay. The other company can ask again.'),
      })}
      {buttonOf(asked, '/api/users/withdraw-move', {
        ...{ label: t('Withdraw'), color: 'red' },
        text: t('The request is taken back.'),
      })}
    </Group>
  );
}
