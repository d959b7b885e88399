import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { openTestDatabase } from '../support/test-database.ts';
import { band, contents, department, type Files, id, importFiles, problemLines, user, validFiles } from './folders.ts';

/** Two companies and their people without any id but those of policies and bookings. */
const WITHOUT_IDS: Files = {
  'companies.csv': `name,legalName,gstin,email,creditLimit,creditDays
North,North Ltd,N-1,n@x.example,1,0
South,South Ltd,S-1,s@x.example,1,0
`,
  'departments.csv': `companyGstin,name,costCode,budget
N-1,Sales,SALES,10
s-1,Sales,SALES,10
N-1,Legal,LEGAL,10
`,
  'bands.csv': `id,companyGstin,name,code,autoApprovalLimit
,N-1,Senior,B1,10
,S-1,Senior,B1,10
`,
  'users.csv': `email,firstName,lastName,clientType,companyGstin,departmentCostCode,bandCode,approvalLimit
ana@x.example,Ana,North,CORPORATE,n-1,LEGAL,B1,0
bo@x.example,Bo,South,CORPORATE,S-1,SALES,B1,0
`,
  'company-roles.csv': 'userEmail,companyGstin,role\nAna@x.example,N-1,MANAGER\nbo@x.example,S-1,EMPLOYEE\n',
  'system-roles.csv': 'userEmail,role\nBO@x.example,PLATFORM_RM\n',
  'approval-policies.csv': 'id,companyGstin,name,autoApprovalLimit\np1,N-1,Travel,5\n',
  'approval-policy-levels.csv': 'policyId,level,roleRequired,minAmount\np1,1,MANAGER,5\n',
  'bookings.csv': 'id,companyGstin,userEmail,amount\nb1,N-1,ana@x.example,3\n',
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('import: rows without ids', () => {
  it('an import of a folder takes the ids of other systems in columns of ids, of the folder and of the database', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, {
      ...validFiles,
      'users.csv': [user(31, 1, { externalId: 'P-1' }), user(32, 2, { externalId: 'P-1' })],
    });
    const named = { departmentId: 'externalId:D-1', managerId: 'externalId:P-1' };
    await importFiles(db, {
      'departments.csv': [
        department(13, 1, { externalId: 'D-1', parentId: '', headId: 'externalId:P-1' }),
        department(14, 1, { externalId: 'D-2', parentId: 'externalId:D-1', headId: '' }),
      ],
      'users.csv': [user(33, 1, named)],
    });
    const [{ department_id, manager_id } = assert.fail()] = await db.query<Record<string, string>>(
      sql`select department_id, manager_id from users where id = ${id(33)}::uuid`,
    );
    assert.deepEqual([department_id, manager_id], [id(13), id(31)]);
    const rows = await db.query(
      sql`select head_id, parent_id from departments where id >= ${id(13)}::uuid order by id`,
    );
    assert.deepEqual(rows, [
      { head_id: id(31), parent_id: null },
      { head_id: null, parent_id: id(13) },
    ]);
    assert.deepEqual(await problemLines({ 'users.csv': [user(33, 1, named)] }), [
      'users.csv:2: departmentId: "externalId:D-1" is the externalId of no department of the company in the folder or the database: correct it, or add the department to departments.csv',
      'users.csv:2: managerId: "externalId:P-1" is the externalId of no user of the company in the folder or the database: correct it, or add the user to users.csv',
    ]);
  });

  it('an import of policies, levels and groups takes the ids of other systems in lists of ids, item by item', async () => {
    await using db = await openTestDatabase();
    const stored = {
      ...validFiles,
      'departments.csv': [department(11, 1, { externalId: 'D, one' }), department(12, 2, { externalId: 'D-2' })],
      'bands.csv': [band(21, 1, { externalId: 'B-1' }), band(22, 2)],
      'users.csv': [user(31, 1, { externalId: 'P-1' }), user(32, 2, { externalId: 'P-1' }), user(33, 1)],
    };
    await importFiles(db, stored);
    const policy = { id: 'p2', companyId: id(1), name: 'Of lists', autoApprovalLimit: '1', externalId: 'POL-2' };
    const lists = {
      departmentIds: `externalId:D, one, ${id(11)} externalId:D-13`,
      bandIds: 'externalId: B-1',
      userIds: 'externalId:P-1',
      defaultUserIds: `${id(33)},externalId:P-1`,
    };
    const level = { id: 'l3', policyId: 'externalId:POL-2', level: '1', roleRequired: 'USERS', minAmount: '1' };
    const files = {
      'departments.csv': [department(13, 1, { externalId: 'D-13' })],
      'approval-policies.csv': [{ ...policy, ...lists }],
      'approval-policy-levels.csv': [{ ...level, userIds: 'externalId:P-1' }],
      'groups.csv': [{ id: id(41), companyId: id(1), name: 'Board', userIds: `${id(33)} externalId:P-1` }],
    };
    await importFiles(db, files);
    const rows = await db.query(sql`
      select department_ids, band_ids, p.user_ids, default_user_ids, l.user_ids as of_level, g.user_ids as of_group
        from approval_policies p join approval_policy_levels l on policy_id = p.id
        join company_groups g on g.company_id = p.company_id where p.id = 'p2'`);
    const both = `${id(31)} ${id(33)}`;
    assert.deepEqual(rows, [
      {
        ...{ department_ids: `${id(11)} ${id(13)}`, band_ids: id(21), user_ids: id(31), default_user_ids: both },
        ...{ of_level: id(31), of_group: both },
      },
    ]);
    const unchanged = Object.values(await importFiles(db, files)).map(([added, changed]) => [added, changed]);
    assert.ok(unchanged.flat().every((count) => count === 0));
    const wrong = {
      'approval-policies.csv': [
        { ...policy, departmentIds: 'externalId:D, one externalId:D-2 externalId:none', bandIds: 'B1 externalId:B-1' },
      ],
      'groups.csv': [{ id: id(41), companyId: id(2), name: 'Board', userIds: `externalId:P-1 ${id(31)}` }],
    };
    const toAdd = 'of the company in the folder or the database: correct it, or add the department to departments.csv';
    assert.deepEqual(await problemLines(wrong, stored), [
      `groups.csv:2: userIds: "${id(31)}" is the id of no user of the company: correct it`,
      'approval-policies.csv:2: bandIds: "B1 externalId:B-1" is not valid: expected UUIDs separated by spaces, or externalId: and the id of another system',
      `approval-policies.csv:2: departmentIds: "externalId:D-2" is the externalId of no department ${toAdd}`,
      `approval-policies.csv:2: departmentIds: "externalId:none" is the externalId of no department ${toAdd}`,
    ]);
    const tooMany = Array.from({ length: 201 }, (_, at) => `externalId:${at}`).join(' ');
    assert.match(
      (await problemLines({ 'groups.csv': [{ id: id(41), companyId: id(1), name: 'All', userIds: tooMany }] })).join(),
      /groups\.csv:2: userIds: .* expected a list of at most 200 ids/,
    );
  });

  it('an import of rows without ids gives each a new id, and resolves references by key', async () => {
    await using db = await openTestDatabase();
    const counts = await importFiles(db, WITHOUT_IDS);
    assert.deepEqual(
      Object.values(counts).flat(),
      [2, 3, 2, 2, 2, 1, 1, 1, 1].flatMap((added) => [added, 0, 0]),
    );
    const { companies = [], departments = [], employee_bands: bands = [], users = [], ...rest } = await contents(db);
    const [north, south] = ['North', 'South'].map((name) => companies.find((row) => row.name === name)?.id);
    const legal = departments.find(({ name }) => name === 'Legal');
    const [ana, bo] = ['Ana', 'Bo'].map((name) => users.find((row) => row.first_name === name));
    for (const row of [...companies, ...departments, ...bands, ...users]) assert.match(String(row.id), UUID);
    assert.deepEqual([legal?.company_id, ana?.department_id, ana?.company_id], [north, legal?.id, north]);
    const sales = departments.find(({ name, company_id }) => name === 'Sales' && company_id === south);
    assert.deepEqual([bo?.company_id, bo?.department_id], [south, sales?.id]);
    assert.equal(bands.find(({ id: band }) => band === bo?.band_id)?.company_id, south);
    const { company_roles: roles = [], system_roles: platform, bookings: [booking] = [] } = rest;
    assert.deepEqual(
      roles.map(({ user_id, company_id }) => [user_id, company_id]).toSorted(),
      [
        [ana?.id, north],
        [bo?.id, south],
      ].toSorted(),
    );
    assert.deepEqual(platform?.[0]?.user_id, bo?.id);
    assert.deepEqual([booking?.user_id, booking?.company_id], [ana?.id, north]);
  });

  it('an import finds stored rows by e-mail address, GSTIN, or company and code in either letter case', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, WITHOUT_IDS);
    const before = await contents(db);
    const unchanged = Object.values(await importFiles(db, WITHOUT_IDS)).map(([added, changed]) => [added, changed]);
    assert.ok(unchanged.flat().every((count) => count === 0));
    assert.deepEqual(await contents(db), before);
    assert.deepEqual(
      await importFiles(db, {
        'companies.csv': 'gstin,creditDays\nn-1,45\n',
        'departments.csv': 'companyGstin,costCode,budget\nN-1,Sales,77\n',
        'bands.csv': 'companyGstin,code,name\nN-1,b1,Lead\n',
        'users.csv': 'email,departmentCostCode\nANA@x.example,sales\n',
      }),
      { 'companies.csv': [0, 1, 0], 'departments.csv': [0, 1, 0], 'bands.csv': [0, 1, 0], 'users.csv': [0, 1, 0] },
    );
    const { companies = [], departments = [], users = [] } = await contents(db);
    const north = companies.find(({ name }) => name === 'North');
    const sales = departments.find(({ budget }) => budget === 77);
    assert.deepEqual([north?.credit_days, north?.gstin, sales?.company_id], [45, 'n-1', north?.id]);
    const ana = users.find(({ first_name }) => first_name === 'Ana');
    assert.deepEqual([ana?.department_id, ana?.email], [sales?.id, 'ANA@x.example']);
  });

  it('an import resolves a key to the row that has it after the import', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    // Department 11 gives its code up to a new one; the person goes by the code to the new one.
    const counts = await importFiles(db, {
      'departments.csv': [
        department(11, 1, { costCode: 'OLD' }),
        { ...department(11, 1, { name: 'Fresh', costCode: 'cc-1' }), id: '' },
      ],
      'users.csv': `email,departmentCostCode\nu31@x.example,CC-1\n`,
    });
    assert.deepEqual(counts, { 'departments.csv': [1, 1, 0], 'users.csv': [0, 1, 0] });
    const { departments = [], users = [] } = await contents(db);
    const fresh = departments.find(({ name }) => name === 'Fresh');
    assert.equal(users[0]?.department_id, fresh?.id);
    assert.deepEqual([users[0]?.id, departments.length], [id(31), 3]);
  });

  it('an import accepts ids and keys in one file, and refuses a row with both or neither', async () => {
    const both = `id,companyId,companyGstin,name,costCode,budget\n`;
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    const file = `${both}${id(13)},${id(1)},,A,A,1\n,,GST-2,B,B,1\n`;
    assert.deepEqual(await importFiles(db, { 'departments.csv': file }), { 'departments.csv': [2, 0, 0] });
    assert.deepEqual(await problemLines({ 'departments.csv': `${both}${id(13)},${id(1)},GST-1,A,A,1\n,,,B,B,1\n` }), [
      'departments.csv:2: companyGstin: expected only one of companyId and companyGstin',
      'departments.csv:3: companyGstin: expected one of companyId and companyGstin',
    ]);
  });

  it('an import with a key that no row has is refused', async () => {
    const columns = 'email,firstName,lastName,clientType,companyGstin,departmentCostCode,bandCode,approvalLimit';
    const problems = await problemLines(
      {
        'departments.csv': `companyGstin,name,costCode,budget\nGST-1,Sales,CC-1,1\nGST-9,Sales,CC-1,1\n`,
        'users.csv': `${columns}\na@x.example,A,B,CORPORATE,GST-1,CC-2,B1,0\nb@x.example,A,B,CORPORATE,GST-2,CC-12,B9,0\n`,
        'company-roles.csv': 'userEmail,companyGstin,role\nnobody@x.example,GST-1,MANAGER\n',
      },
      validFiles,
    );
    assert.deepEqual(problems, [
      'departments.csv:3: companyGstin: "GST-9" is the gstin of no company in the folder or the database: correct it, or add the company to companies.csv',
      'users.csv:2: departmentCostCode: "CC-2" is the costCode of no department of the company in the folder or the database: correct it, or add the department to departments.csv',
      'users.csv:3: bandCode: "B9" is the code of no band of the company in the folder or the database: correct it, or add the band to bands.csv',
      'company-roles.csv:2: userEmail: "nobody@x.example" is the email of no user in the folder or the database: correct it, or add the user to users.csv',
    ]);
  });

  it('an import with a key twice in a file, or a row without id and key, is refused', async () => {
    const { id: known, ...nameless } = user(41, 1);
    assert.deepEqual(
      await problemLines({
        'bands.csv': `id,companyId,name,code,autoApprovalLimit\n,${id(1)},A,X,1\n${id(23)},${id(1)},B,X,1\n`,
        'users.csv': [nameless, { ...nameless, email: 'U41@x.example' }],
      }),
      [
        'bands.csv:3: code: line 2 has the same companyId and code already: correct or remove one of the two',
        'users.csv:3: email: "U41@x.example" stands on line 2 already: correct or remove one of the two',
      ],
    );
    assert.equal(known, id(41));
    assert.deepEqual(await problemLines({ 'users.csv': `id,active\n,true\n${id(31)},true\n` }), [
      'users.csv:2: id: the cell is empty, and the file has no column email to know the user by',
    ]);
    assert.deepEqual(await problemLines({ 'departments.csv': 'costCode,budget\nX,1\n' }), [
      'departments.csv:1: id: the column is missing from the header, and so is companyId: rows are known by companyId and costCode where they have no id',
    ]);
  });

  it('an import with the code of another row of the company in either letter case is refused', async () => {
    const twin = department(13, 1, { costCode: 'cc-1' });
    assert.deepEqual(await problemLines({ 'departments.csv': [twin] }, validFiles), [
      `departments.csv:2: costCode: the database has a department of the same companyId and costCode, with the id "${id(11)}": give that id, or none`,
    ]);
    assert.deepEqual(
      await problemLines({ ...validFiles, 'bands.csv': [...validFiles['bands.csv'], band(23, 1, { code: 'b1' })] }),
      ['bands.csv:4: code: line 2 has the same companyId and code already: correct or remove one of the two'],
    );
  });

  it("an import swaps codes between departments, with or without the company's column", async () => {
    await using db = await openTestDatabase();
    const third = [department(13, 1), department(14, 1)];
    await importFiles(db, { ...validFiles, 'departments.csv': [...validFiles['departments.csv'], ...third] });
    const codes = async () => {
      const { departments = [] } = await contents(db);
      return Object.fromEntries(departments.map(({ id: key, cost_code }) => [key, cost_code]));
    };
    const around = [department(11, 1, { costCode: 'cc-13' }), department(13, 1, { costCode: 'CC-14' })];
    const file = [...around, department(14, 1, { costCode: 'CC-1' })];
    assert.deepEqual(await importFiles(db, { 'departments.csv': file }), { 'departments.csv': [0, 3, 0] });
    assert.deepEqual(await codes(), { [id(11)]: 'cc-13', [id(12)]: 'CC-12', [id(13)]: 'CC-14', [id(14)]: 'CC-1' });
    const back = `id,costCode\n${id(11)},CC-1\n${id(14)},CC-13\n`;
    assert.deepEqual(await importFiles(db, { 'departments.csv': back }), { 'departments.csv': [0, 2, 0] });
    assert.deepEqual(await codes(), { [id(11)]: 'CC-1', [id(12)]: 'CC-12', [id(13)]: 'CC-14', [id(14)]: 'CC-13' });
  });
});

describe('import: company roles that are not active', () => {
  const roles = (...lines: string[]): Files => ({
    'company-roles.csv': ['userEmail,companyGstin,role,active', ...lines, ''].join('\n'),
  });

  it('an import removes the inactive company roles, by id or by their values, and once', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, {
      ...validFiles,
      'company-roles.csv': [
        ...validFiles['company-roles.csv'],
        { id: 'r2', userId: id(32), companyId: id(2), role: 'EMPLOYEE' },
        { id: 'r3', userId: id(32), companyId: id(2), role: 'MANAGER' },
      ],
    });
    const file = roles(
      'u31@x.example,GST-1,MANAGER,FALSE',
      'u32@x.example,GST-2,EMPLOYEE,',
      'u31@x.example,GST-2,EMPLOYEE,true',
    );
    assert.deepEqual(await importFiles(db, file), { 'company-roles.csv': [1, 0, 1, 1] });
    assert.deepEqual(await importFiles(db, file), { 'company-roles.csv': [0, 0, 3] });
    const byId = { 'company-roles.csv': 'id,active\nr3,false\nr4,false\n' };
    assert.deepEqual(await importFiles(db, byId), { 'company-roles.csv': [0, 0, 1, 1] });
    assert.deepEqual(await importFiles(db, byId), { 'company-roles.csv': [0, 0, 2] });
    const { company_roles: left = [] } = await contents(db);
    assert.deepEqual(left.map(({ user_id, role }) => [user_id, role]).toSorted(), [
      [id(31), 'EMPLOYEE'],
      [id(32), 'EMPLOYEE'],
    ]);
  });

  it('the audit trail contains a role that an import removed, with its values', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    await importFiles(db, roles('u31@x.example,GST-1,MANAGER,false'));
    const changes = await db.query(
      sql`select action, entity, entity_id, user_id::text, company_id::text, field_values, actor_kind
            from audit_changes order by id desc limit 1`,
    );
    assert.deepEqual(changes, [
      {
        action: 'removed',
        entity: 'companyRole',
        entity_id: 'r1',
        actor_kind: 'import',
        user_id: id(31),
        company_id: id(1),
        field_values: { userId: [id(31), null], companyId: [id(1), null], role: ['MANAGER', null] },
      },
    ]);
  });

  it('an import of an inactive role of an unknown user is refused', async () => {
    assert.deepEqual(await problemLines(roles('nobody@x.example,GST-1,MANAGER,false')), [
      'company-roles.csv:2: userEmail: "nobody@x.example" is the email of no user in the folder or the database: correct it, or add the user to users.csv',
    ]);
    assert.deepEqual(await problemLines(roles('u31@x.example,GST-1,MANAGER,no')), [
      'company-roles.csv:2: active: "no" is not valid: expected true or false',
    ]);
  });
});
