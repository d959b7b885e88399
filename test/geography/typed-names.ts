/** A city, and a name of it as somebody types it. */
export interface TypedName {
  countryCode: string;
  /** As the geography has it. */
  name: string;
  typed: string;
}

/** Cities by country and name, each with what people type who mean it: in their languages and scripts, former names, codes, short names. */
const TABLE = `
  IN Mumbai: bombay | मुंबई | BOM | mumbai, maharashtra
  IN Bengaluru: bangalore | BLR | ಬೆಂಗಳೂರು | bengaluru, ka
  IN Kolkata: calcutta | কলকাতা | CCU
  IN Chennai: madras | சென்னை | MAA
  IN Delhi: दिल्ली | DEL | delhi, india
  IN Hyderabad: హైదరాబాద్ | HYD
  IN Pune: poona | पुणे
  IN Varanasi: benares | banaras
  IN Thiruvananthapuram: trivandrum | TRV
  IN Cochin: kochi | COK
  IN Visakhapatnam: vizag
  IN Tiruchirappalli: trichy
  IN Vadodara: baroda
  IN Mysuru: mysore
  IN Gurugram: gurgaon
  IN Allahabad: prayagraj | ALLAHABAD
  IN Puducherry: pondicherry
  IN Mangaluru: mangalore
  PK Karachi: کراچی | KHI
  PK Lahore: لاہور
  BD Dhaka: dacca | ঢাকা
  BD Chittagong: chattogram
  NP Kathmandu: काठमाडौं | KTM
  LK Colombo: CMB
  MM Yangon: rangoon | ရန်ကုန်
  CN Beijing: 北京 | peking | PEK | pékin | pequim | Пекин
  CN Shanghai: 上海 | SHA | Шанхай
  CN Guangzhou: 广州 | canton | CAN
  CN Shenzhen: 深圳
  CN Nanjing: nanking | 南京
  CN Tianjin: tientsin | 天津
  CN Chongqing: chungking | 重庆
  CN Xi'an: xian | xi an | 西安
  CN Chengdu: 成都
  CN Wuhan: 武汉
  CN Hangzhou: 杭州
  CN Ürümqi: urumqi | wulumuqi
  HK Hong Kong: 香港 | hongkong | HKG
  MO Macau: macao | 澳門
  TW Taipei: 台北 | 臺北 | TPE | taipeh
  TW Kaohsiung: 高雄
  JP Tokyo: 東京 | とうきょう | tokio | TYO | tōkyō | 도쿄 | Токио
  JP Osaka: 大阪 | ōsaka
  JP Kyoto: 京都
  JP Yokohama: 横浜
  JP Sapporo: 札幌
  JP Nagoya: 名古屋
  KR Seoul: 서울 | séoul | SEL | ソウル
  KR Busan: 부산 | pusan
  KR Incheon: 인천 | inchon
  KP Pyongyang: 평양
  TH Bangkok: กรุงเทพ | กรุงเทพมหานคร | krung thep | BKK
  TH Chiang Mai: เชียงใหม่ | chiangmai
  VN Ho Chi Minh City: saigon | sài gòn | SGN | hcmc | thành phố hồ chí minh
  VN Hanoi: hà nội | ha noi | HAN
  KH Phnom Penh: ភ្នំពេញ
  ID Jakarta: djakarta | batavia | CGK
  MY Kuala Lumpur: KUL
  MY George Town: penang
  SG Singapore: 新加坡 | singapur | SIN | singapore, sg
  PH Manila: MNL | maynila
  MN Ulan Bator: ulaanbaatar |  Улаанбаатар
  KZ Almaty: alma ata | alma-ata | Алматы
  KZ Nur-Sultan: astana | tselinograd | nur sultan
  UZ Tashkent: taschkent | Ташкент
  AF Kabul: کابل
  IR Tehran: تهران | teheran | téhéran
  IQ Baghdad: بغداد | bagdad
  SA Riyadh: الرياض | riad | RUH
  SA Jeddah: جدة | djeddah | jidda
  SA Mecca: makkah | مكة المكرمة | mekka
  SA Medina: المدينة المنورة | madinah
  AE Dubai: دبي | dubaï | DXB | dubai, uae
  AE Abu Dhabi: أبو ظبي | abou dabi | AUH
  QA Doha: الدوحة | DOH
  KW Kuwait City: kuwait | مدينة الكويت
  OM Muscat: مسقط | mascate
  LB Beirut: بيروت | beyrouth
  SY Damascus: دمشق | damas
  JO Amman: عمان
  IL Haifa: חיפה | haïfa
  IL Jerusalem: ירושלים | القدس | gerusalemme
  IL Tel Aviv: תל אביב | tel-aviv | telaviv | TLV
  TR Istanbul: constantinople | İSTANBUL | IST | Стамбул | estambul
  TR İzmir: smyrna | izmir
  TR Ankara: angora
  TR Bursa: brusa
  CY Nicosia: Λευκωσία | lefkosia
  GR Athens: Αθήνα | athen | atenas | ATH | athina
  GR Thessaloniki: Θεσσαλονίκη | salonica | saloniki
  EG Cairo: القاهرة | le caire | kairo | CAI
  EG Alexandria: الإسكندرية | alexandrie
  MA Casablanca: الدار البيضاء
  MA Marrakesh: marrakech | مراكش
  MA Fès: fez | fes
  DZ Algiers: alger | الجزائر
  TN Tunis: تونس
  SD Khartoum: الخرطوم | chartum
  ET Addis Ababa: አዲስ አበባ | addis abeba
  KE Nairobi: NBO
  NG Lagos: LOS
  GH Accra: akkra
  CI Abidjan: ABJ
  MZ Maputo: lourenço marques | lourenco marques
  CD Kinshasa: leopoldville | léopoldville
  ZW Harare: salisbury
  MG Antananarivo: tananarive | TNR
  ZA Johannesburg: joburg | JNB
  ZA Cape Town: kapstadt | le cap | ciudad del cabo | CPT | kaapstad
  ZA Port Elizabeth: gqeberha | PLZ
  ID Bandung: BDO
  ID Yogyakarta: jogja | jogjakarta
  CI Bouaké: bouake
  US Fort Lauderdale: ft lauderdale | FLL
  US Mount Vernon: mt vernon
  BG Plovdiv: Пловдив | philippopolis
  RU Moscow: москва | moskau | moscou | moscú | MOW | moskva | モスクワ | 莫斯科
  RU Saint Petersburg: st. petersburg | st petersburg | leningrad | санкт-петербург | sankt petersburg | LED
  RU Yekaterinburg: екатеринбург | sverdlovsk
  RU Nizhniy Novgorod: nizhny novgorod | gorky | нижний новгород
  RU Volgograd: stalingrad
  RU Kaliningrad: königsberg | koenigsberg
  UA Kyiv: kiev | київ | киев | kiew | KBP
  UA Odesa: odessa | одеса
  UA Lviv: lemberg | lvov | львів
  UA Kharkiv: kharkov | харків
  BY Minsk: Мінск
  GE Tbilisi: თბილისი | tiflis
  AM Yerevan: Երևան | eriwan | erevan
  AZ Baku: bakı | bakou
  PL Warsaw: warszawa | varsovie | warschau | WAW | варшава
  PL Kraków: krakow | cracow | krakau
  PL Wrocław: breslau | wroclaw
  PL Gdańsk: danzig | gdansk
  PL Łódź: lodz
  PL Poznań: posen
  CZ Prague: praha | prag | praga | PRG
  CZ Brno: brünn | bruenn
  SK Bratislava: pressburg | pozsony
  HU Budapest: BUD | будапешт
  RO Bucharest: bucurești | bukarest | bucarest | OTP
  RO Cluj-Napoca: cluj napoca | klausenburg | cluj
  BG Sofia: софия | sofija
  RS Belgrade: beograd | београд | belgrad | BEG
  HR Zagreb: agram
  HR Dubrovnik: DBV
  SI Ljubljana: laibach
  AL Tirana: tiranë
  AT Vienna: wien | vienne | viena | VIE | bécs | вена
  AT Salzburg: salzbourg
  CH Zürich: zurich | zuerich | zurigo | ZRH
  CH Geneva: genève | genf | ginevra | geneve | GVA
  CH Basel: bâle | bale | basilea
  CH Sankt Gallen: st. gallen | st gallen | saint gallen
  CH Luzern: lucerne | luzern
  DE Munich: münchen | muenchen | munchen | monaco di baviera | MUC | мюнхен
  DE Köln: cologne | koeln | koln | colonia | CGN
  DE Nürnberg: nuremberg | nuernberg
  DE Düsseldorf: dusseldorf | duesseldorf | DUS
  DE Frankfurt am Main: frankfurt | FRA | francfort
  DE Hamburg: hambourg | amburgo | HAM
  DE Berlin: BER | берлин | berlino | ベルリン
  DE Hannover: hanover | hanovre
  DE Aachen: aix-la-chapelle | aquisgrán
  NL The Hague: den haag | 's-gravenhage | la haye
  NL Amsterdam: AMS
  BE Brussels: bruxelles | brüssel | bruessel | bruselas | BRU
  BE Antwerpen: antwerp | anvers | amberes
  BE Gent: ghent | gand
  BE Brugge: bruges | brügge
  BE Liège: liege | luik | lüttich
  LU Luxembourg: luxemburg
  FR Paris: PAR | parigi | париж | paris, france | パリ | باريس
  FR Lyon: lyons | lione
  FR Marseille: marseilles | marsella | marsiglia
  FR Saint-Étienne: saint etienne | st etienne | st-étienne
  FR Aix-en-Provence: aix en provence
  FR Strasbourg: strassburg | straßburg
  FR Nice: nizza | NCE
  ES Sevilla: seville | séville | SVQ
  ES Zaragoza: saragossa
  ES Donostia-San Sebastián: san sebastian | donostia
  ES A Coruña: la coruña 
  ES Palma: palma de mallorca | PMI
  ES Barcelona: barcelone | BCN | барселона
  PT Lisbon: lisboa | lissabon | lisbonne | LIS
  PT Porto: oporto
  IT Rome: roma | rom | ROM | рим | ローマ
  IT Milan: milano | mailand | MIL
  IT Florence: firenze | florenz | florencia
  IT Venice: venezia | venedig | venise | VCE
  IT Naples: napoli | neapel | nápoles
  IT Turin: torino
  IT Genoa: genova | genua | gênes
  IT L'Aquila: laquila | l’aquila
  GB London: londres | londra | LON | лондон | london, uk | ロンドン | 伦敦 | लंदन
  GB Edinburgh: édimbourg | EDI
  GB Newcastle upon Tyne: newcastle-upon-tyne | NCL
  IE Dublin: baile átha cliath | DUB
  DK København: copenhagen | kobenhavn | kopenhagen | CPH
  DK Aarhus: århus
  SE Göteborg: gothenburg | goteborg | goeteborg
  SE Malmö: malmo | malmoe
  SE Stockholm: STO
  NO Oslo: christiania | OSL
  FI Helsinki: helsingfors | HEL
  FI Turku: åbo
  IS Reykjavík: reykjavik | KEF
  EE Tallinn: reval
  LT Vilnius: vilna | wilno
  MT Valletta: la valletta
  US New York City: new york | nyc | NYC | new york, ny | nueva york | нью-йорк | ニューヨーク | 纽约 | big apple
  US Los Angeles: LA | LAX | los angeles, ca | Лос-Анджелес
  US Washington D.C.: washington dc | washington, dc | washington | WAS
  US St. Louis: st. louis | st louis | saint louis | STL | st. louis, mo
  US Saint Paul: st paul | st. paul, mn
  US San Francisco: SFO | san francisco ca | frisco | san fran
  US Philadelphia: PHL | philly
  US Chicago: CHI | chicago, il | シカゴ
  US Las Vegas: vegas | LAS | las vegas, nv
  US New Orleans: MSY | nola
  US Winston-Salem: winston salem
  US Portland: portland, or
  US Springfield: springfield, il
  US Miami: MIA | miami, fl
  US Dallas: dallas tx | DFW
  US Fort Worth: ft worth | ft. worth
  CA Montréal: montreal | YUL
  CA Québec: quebec city | québec
  CA Toronto: YYZ | toronto, on
  MX Mexico City: ciudad de méxico | cdmx | mexico df | MEX
  CU Havana: la habana | HAV | l'avana
  CO Bogotá D.C.: bogota | BOG | bogotá
  BR São Paulo: sao paulo | SAO | são paulo, brasil
  BR Rio de Janeiro: RIO | rio
  BR Brasília: brasilia | BSB
  AR Buenos Aires: BUE | buenos aires, argentina
  CL Santiago: SCL | santiago de chile
  PE Cusco: cuzco
  PY Asunción: asuncion
  AU Sydney: SYD | sydney, nsw | 悉尼
  AU Melbourne: MEL
  NZ Auckland: AKL
`;

export const TYPED_NAMES: readonly TypedName[] = TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const [, countryCode = '', name = '', typed = ''] = /^ *(..) (.*?): (.*)$/.exec(line) ?? [];
    return typed.split(' | ').map((one) => ({ countryCode, name, typed: one }));
  });
