import { englishApprovals, englishCompany } from './english/company.ts';
import { isGerman } from './language.ts';

/** In the language of the reader. */
export const companyTexts = isGerman ? (await import('./german/company.ts')).companyTexts : englishCompany;

/** In the language of the reader. */
export const approvalTexts = isGerman ? (await import('./german/company.ts')).approvalTexts : englishApprovals;
