import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

@Entity('countries')
export class Country {
  @PrimaryColumn('int')
  id: number;
  @Column('text')
  name: string;
  @Column('text')
  iso2: string;
  @Column('text')
  iso3: string;
}

@Entity('states')
export class State {
  @PrimaryColumn('int')
  id: number;
  @Column('text')
  name: string;
  @Column('text', { name: 'state_code' })
  stateCode: string;
}

@Entity('cities')
export class City {
  @PrimaryColumn('int')
  id: number;
  @Column('int', { name: 'state_id' })
  stateId: number;
  @Column('int', { name: 'country_id' })
  countryId: number;
  @Column('text')
  name: string;
  @ManyToOne(() => State)
  @JoinColumn({ name: 'state_id' })
  state: Relation<State>;
  @ManyToOne(() => Country)
  @JoinColumn({ name: 'country_id' })
  country: Relation<Country>;
}
