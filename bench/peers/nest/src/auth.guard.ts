import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { User } from './people.entities.ts';

interface AuthenticatedRequest {
  headers: Record<string, string | undefined>;
  user: User;
}

/** Lets active users through, and leaves them in the request with their roles. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly jwt: JwtService,
    @InjectRepository(User) private readonly users: Repository<User>,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const [scheme, token] = request.headers.authorization?.split(' ') ?? [];
    if (scheme !== 'Bearer' || token === undefined) throw new UnauthorizedException();
    const { sub } = await this.jwt.verifyAsync<{ sub: string }>(token).catch(() => {
      throw new UnauthorizedException();
    });
    const user = await this.users.findOne({
      select: {
        id: true,
        active: true,
        companyRoles: { id: true, companyId: true, role: true, company: { id: true, active: true } },
        systemRole: { userId: true, role: true, active: true },
      },
      where: { id: sub },
      relations: { companyRoles: { company: true }, systemRole: true },
    });
    if (!user?.active) throw new UnauthorizedException();
    request.user = user;
    return true;
  }
}

/** Lets platform staff through; stands behind AuthGuard. */
@Injectable()
export class PlatformGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<AuthenticatedRequest>().user.systemRole?.active === true;
  }
}

export const Caller = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<AuthenticatedRequest>().user,
);

/** Throws unless the caller is an admin or manager of that company. */
export function checkCompany(caller: User, id: string): void {
  const isAllowed = caller.companyRoles.some(
    ({ companyId, role, company }) => companyId === id && company.active && role !== 'EMPLOYEE',
  );
  if (!isAllowed) throw new ForbiddenException();
}
