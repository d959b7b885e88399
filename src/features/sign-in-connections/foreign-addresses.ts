import sql from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { jsonOfFields } from '../../audit/entity-sql.ts';
import { isCompanyOfConnection } from '../../auth/callers/identity-queries.ts';
import type { Reader } from '../../db/database.ts';
import { containsByIndex } from '../../db/sql/sql-fragments.ts';
import { answeredFields, titled } from '../../entities/field-schemas.ts';
import { user } from '../../entities/user.ts';

/** People who are named. */
const NAMED = 20;

export const ForeignAddressesView = titled('ForeignAddresses', {
  domain: Type.String({ examples: ['acme.example'] }),
  own: Type.Boolean({
    description:
      'true: a domain of the company, which people of others have; false: one of another, which its people have',
    examples: [false],
  }),
  people: Type.Integer({ description: 'People with such an address, who keep it', examples: [3] }),
  users: Type.Array(Type.Object(answeredFields(user, ['id', 'email', 'firstName', 'lastName'])), {
    description: `Those of the company, at most ${NAMED}; empty where they are of others`,
  }),
});
type ForeignAddressesView = Static<typeof ForeignAddressesView>;

const domainOf = sql`split_part(users.email_key, '@', 2)`;

/** Returns the proven domains of which people of another company have addresses: those of a company, and those that its people have. */
export async function listForeignAddresses(db: Reader, companyId: string): Promise<ForeignAddressesView[]> {
  const domains = await db.query<{ domain: string }>(sql`
    select domain from sign_in_domains join sign_in_connections connection on connection.id = connection_id
     where connection.company_id = ${companyId}::uuid order by domain`);
  const found: ForeignAddressesView[] = [];
  for (const { domain } of domains) {
    const [row] = await db.query<{ people: number }>(sql`
      select count(*)::integer as people from users
        join sign_in_connections connection on connection.id = (select connection_id from sign_in_domains where domain = ${domain}::text)
       where not ${isCompanyOfConnection(sql`users.company_id`)} and ${domainOf} = ${domain}::text
         and ${containsByIndex(sql`search_text`, `@${domain}`) ?? sql`true`}`);
    if (row && row.people > 0) found.push({ domain, own: true, people: row.people, users: [] });
  }
  const others = await db.query<ForeignAddressesView>(sql`
    select domain, false as own, count(*)::integer as people,
           to_json((array_agg(${jsonOfFields(user, ['id', 'email', 'firstName', 'lastName'])} order by users.email_key))[1:${NAMED}::integer]) as users
      from users join sign_in_domains on domain = ${domainOf}
      join sign_in_connections connection on connection.id = connection_id and not ${isCompanyOfConnection(sql`users.company_id`)}
     where users.company_id = ${companyId}::uuid group by domain order by domain`);
  return [...found, ...others];
}
