import type { ProfileRow } from '../../src/features/profile/profile-queries.ts';
import { uuid } from './rows.ts';

/** An employee without a role, as the database would give it: for a service that has none. */
export const PROFILE_ROW: ProfileRow = {
  userId: uuid(31),
  active: true,
  works: true,
  signedInBy: 'platform',
  systemRole: null,
  companyRoles: [],
  email: 'ana@acme.example',
  firstName: 'Ana',
  lastName: 'Rao',
  phone: '+91 98450 12345',
  clientType: 'CORPORATE',
  gender: 'Female',
  companyId: uuid(1),
  departmentId: uuid(11),
  bandId: uuid(21),
  approvalLimit: '75000.00',
  loyaltyPoints: 0,
  dateOfBirth: '1990-05-15',
  addressLine1: '1, MG Road',
  addressLine2: null,
  pincode: '560001',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
  company: { id: uuid(1), name: 'Acme', legalName: 'Acme Ltd', gstin: 'ACME-1', active: true },
  department: { id: uuid(11), name: 'Sales', costCode: 'CC-1' },
  band: { id: uuid(21), name: 'Senior', code: 'B1', autoApprovalLimit: '50.00', maxBookingLimit: null },
};
